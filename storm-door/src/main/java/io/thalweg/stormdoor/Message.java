// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.Addressed;
import io.thalweg.api.operator.SideOutput;
import java.io.Serializable;

/** A tuple on its way to a task. */
record Message(Layout.Place place, DoorTuple tuple) implements Addressed {
    static final Type<Message> TYPE = Type.custom(Message.class, new NeverEncoded());

    /** The component. */
    String to() {
        return place.component();
    }

    /** Number of the executor within the component, as the engine counts its tasks. */
    @Override
    public int task() {
        return place.executor();
    }

    /** What leads to a component. */
    static SideOutput<Message> towards(String component) {
        return new SideOutput<>(component, TYPE);
    }

    /** Tuples stay in this JVM and are handed over as they are, as within a worker of Storm's. */
    record NeverEncoded() implements Codec<Message>, Serializable {
        @Override
        public void encode(Message value, ByteWriter out) {
            throw new UnsupportedOperationException("Storm's tuples stay in one process");
        }

        @Override
        public Message decode(ByteReader in) {
            throw new UnsupportedOperationException("Storm's tuples stay in one process");
        }

        @Override
        public boolean immutable() {
            return true;
        }
    }
}
