// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorSupplier;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.SideOutput;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What {@link Fork} is to a spout in this process. */
final class PortableFork implements Operator<SerializedTuple, SerializedTuple> {
    /**
     * Makes the operator of each executor.
     *
     * @param ahead the components that the spout sends to
     */
    record Supplier(List<String> ahead) implements OperatorSupplier<PortableFork> {
        @Override
        public PortableFork get() {
            return new PortableFork(ahead);
        }
    }

    private final Map<String, SideOutput<SerializedTuple>> sides = new HashMap<>();

    private PortableFork(List<String> ahead) {
        ahead.forEach(to -> sides.put(to, SerializedTuple.towards(to)));
    }

    @Override
    public List<SideOutput<?>> sideOutputs() {
        return List.copyOf(sides.values());
    }

    @Override
    public void process(SerializedTuple parcel, Output<SerializedTuple> output) {
        output.emit(PortableBolt.side(sides, parcel), parcel);
    }
}
