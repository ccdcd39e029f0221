// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorSupplier;

/** Of a graph that runs in this process only: executors share a {@link Host}, and hand tuples over as they are. */
record EmbeddedParts(HostHandle handle) implements DoorGraph.Parts<DoorTuple> {
    @Override
    public Type<DoorTuple> type() {
        return DoorTuple.TYPE;
    }

    @Override
    public Source<DoorTuple> spout(Layout.Component component) {
        return new SpoutSource(handle, component.id(), ownThreads(component) ? SpoutReader.PATIENCE_NS : 0);
    }

    @Override
    public OperatorSupplier<? extends Operator<DoorTuple, DoorTuple>> fork(Layout.Component spout) {
        return new Fork.Supplier(handle, spout.id());
    }

    @Override
    public OperatorSupplier<? extends Operator<DoorTuple, DoorTuple>> bolt(Layout.Component component, int tickSecs) {
        return new BoltOperator.Supplier(handle, component.id(), tickSecs);
    }

    @Override
    public Source<DoorTuple> nothing() {
        return new Silence<>(DoorTuple.TYPE, handle);
    }

    @Override
    public boolean here() {
        return true;
    }

    /** One that talks to a child process waits for it. */
    @Override
    public boolean ownThreads(Layout.Component component) {
        Host host = handle.host();
        return host.layout.sharedThreads == 0 || Components.hasChild(host.layout, component, host.loader);
    }
}
