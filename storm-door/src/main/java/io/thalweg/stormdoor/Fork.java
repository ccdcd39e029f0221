// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorSupplier;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.SideOutput;
import java.util.ArrayList;
import java.util.List;

/** Sends what a spout emits to the components that it is for; fused with the spout. */
final class Fork implements Operator<DoorTuple, DoorTuple> {
    /** Makes the operator of each executor. */
    record Supplier(HostHandle handle, String component) implements OperatorSupplier<Fork> {
        @Override
        public Fork get() {
            return new Fork(handle, component);
        }
    }

    private final HostHandle handle;
    private final String spout;

    private Fork(HostHandle handle, String spout) {
        this.handle = handle;
        this.spout = spout;
    }

    @Override
    public List<SideOutput<?>> sideOutputs() {
        List<SideOutput<?>> all = new ArrayList<>();
        handle.host().layout.ahead(spout).forEach(to -> all.add(DoorTuple.towards(to)));
        return all;
    }

    @Override
    public void process(DoorTuple message, Output<DoorTuple> output) {
        output.emit(message.to.side(), message);
    }
}
