// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jet;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.StreamSerializer;
import io.thalweg.lab.driver.Message;
import java.io.IOException;
import java.util.Objects;

/** How Jet writes a message that goes to another member or into a snapshot. */
final class MessageSerializer implements StreamSerializer<Message> {
    @Override
    public int getTypeId() {
        return 2;
    }

    @Override
    public void write(ObjectDataOutput out, Message value) throws IOException {
        out.writeLong(value.number());
        out.writeByteArray(value.data());
        out.writeLongArray(value.times());
    }

    @Override
    public Message read(ObjectDataInput in) throws IOException {
        return new Message(
                in.readLong(), Objects.requireNonNull(in.readByteArray()), Objects.requireNonNull(in.readLongArray()));
    }
}
