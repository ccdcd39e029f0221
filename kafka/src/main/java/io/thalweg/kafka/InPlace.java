// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/** Leaves keys and values in the network buffer, for the task to decode. */
final class InPlace implements Deserializer<@Nullable ByteBuffer> {
    @Override
    public @Nullable ByteBuffer deserialize(String topic, byte @Nullable [] bytes) {
        return bytes == null ? null : ByteBuffer.wrap(bytes);
    }

    @Override
    public @Nullable ByteBuffer deserialize(String topic, Headers headers, @Nullable ByteBuffer bytes) {
        if (bytes == null || bytes.hasArray()) {
            return bytes;
        }
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return ByteBuffer.wrap(copy);
    }
}
