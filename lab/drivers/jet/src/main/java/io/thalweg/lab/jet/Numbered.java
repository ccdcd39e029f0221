// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jet;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.StreamSerializer;
import java.io.IOException;

/** A number that is due at some time. */
record Numbered(long number, long dueNs) {

    static final class Serializer implements StreamSerializer<Numbered> {
        @Override
        public int getTypeId() {
            return 1;
        }

        @Override
        public void write(ObjectDataOutput out, Numbered value) throws IOException {
            out.writeLong(value.number);
            out.writeLong(value.dueNs);
        }

        @Override
        public Numbered read(ObjectDataInput in) throws IOException {
            return new Numbered(in.readLong(), in.readLong());
        }
    }
}
