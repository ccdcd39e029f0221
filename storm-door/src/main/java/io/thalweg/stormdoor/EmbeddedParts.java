// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorSupplier;

/** Of a graph that runs in this process only: executors share a {@link Host}, and hand tuples over as they are. */
record EmbeddedParts(Handle handle) implements DoorGraph.Parts<Message> {
    @Override
    public Type<Message> type() {
        return Message.TYPE;
    }

    @Override
    public Source<Message> spout(Layout.Component component) {
        return new SpoutSource(handle, component.id());
    }

    @Override
    public OperatorSupplier<? extends Operator<Message, Message>> fork(Layout.Component spout) {
        return new Fork.Supplier(handle, spout.id());
    }

    @Override
    public OperatorSupplier<? extends Operator<Message, Message>> bolt(Layout.Component component, int tickSecs) {
        return new BoltOperator.Supplier(handle, component.id(), tickSecs);
    }

    @Override
    public Source<Message> nothing() {
        return new Silence<>(Message.TYPE, handle);
    }

    @Override
    public boolean here() {
        return true;
    }
}
