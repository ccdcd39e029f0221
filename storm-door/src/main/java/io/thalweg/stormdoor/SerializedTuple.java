// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.Addressed;
import io.thalweg.api.operator.SideOutput;
import java.io.Serializable;

/**
 * A tuple on its way to a task that may be in another process.
 *
 * @param to the component
 * @param task number of the executor within the component, as the engine counts its tasks
 * @param place of Storm's task within that executor
 * @param from Storm's number of the task that emitted it
 * @param values as {@link Packing} has them; never changed
 */
@SuppressWarnings("ArrayRecordComponent") // parcels are not compared
record SerializedTuple(String to, int task, int place, int from, String stream, byte[] values) implements Addressed {
    static final Type<SerializedTuple> TYPE = Type.custom(SerializedTuple.class, new ParcelCodec());

    /** What leads to a component. */
    static SideOutput<SerializedTuple> towards(String component) {
        return new SideOutput<>(component, TYPE);
    }

    private record ParcelCodec() implements Codec<SerializedTuple>, Serializable {
        @Override
        public void encode(SerializedTuple value, ByteWriter out) {
            out.writeText(value.to);
            out.writeVarLong(value.task);
            out.writeVarLong(value.place);
            out.writeVarLong(value.from);
            out.writeText(value.stream);
            out.writeBytes(value.values);
        }

        @Override
        public SerializedTuple decode(ByteReader in) {
            return new SerializedTuple(
                    in.readText(),
                    (int) in.readVarLong(),
                    (int) in.readVarLong(),
                    (int) in.readVarLong(),
                    in.readText(),
                    in.readBytes());
        }

        @Override
        public boolean immutable() {
            return true;
        }
    }
}
