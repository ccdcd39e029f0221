// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class MessageLogTest {
    private final long seed = new Random().nextInt(100_000);
    private final Random random = new Random(seed);

    /** A checkpoint may be given up, and the next one then holds the same messages again. */
    @Test
    void shouldKeepMessages_howeverOftenTheyAreSaved() {
        MessageLog log = new MessageLog(new ArrayDeque<>());
        fill(log, 2_000, true);

        byte[] saved = bytes(log);
        assertThat(bytes(log)).as("seed %d", seed).isEqualTo(saved);
        MessageLog restored = restored(saved);
        assertThat(restored.size()).isEqualTo(log.size());
        assertThat(bytes(restored)).as("seed %d", seed).isEqualTo(saved);
    }

    @Test
    void shouldUseArraysAgain_onlyWhenTheyAreGivenBack() {
        Deque<byte[]> spare = new ArrayDeque<>();
        MessageLog first = new MessageLog(spare);
        fill(first, 2_000, false);
        byte[] ofFirst = bytes(first);
        MessageLog second = new MessageLog(spare);
        fill(second, 2_000, false);
        byte[] ofSecond = bytes(second);
        assertThat(bytes(first)).as("seed %d", seed).isEqualTo(ofFirst);

        first.recycle();
        List<byte[]> arrays = List.copyOf(spare);
        MessageLog third = new MessageLog(spare);
        fill(third, 2_000, false);
        assertThat(bytes(second)).as("seed %d", seed).isEqualTo(ofSecond);
        assertThat(arrays).as("seed %d", seed).hasSizeGreaterThan(5);
        assertThat(spare).as("seed %d", seed).hasSizeLessThan(arrays.size() - 3);
    }

    @Test
    void shouldForgetABurst() {
        Deque<byte[]> spare = new ArrayDeque<>();
        MessageLog burst = new MessageLog(spare);
        fill(burst, 5_000, false);
        burst.parts();
        burst.recycle();
        int many = spare.size();
        for (int n = 0; n < 2; n++) {
            MessageLog little = new MessageLog(spare);
            fill(little, 1, false);
            little.parts();
            little.recycle();
        }
        assertThat(many).as("seed %d", seed).isGreaterThan(10);
        assertThat(spare).as("seed %d", seed).hasSizeLessThanOrEqualTo(2);
    }

    private void fill(MessageLog log, int messages, boolean longOnes) {
        for (int n = 0; n < messages; n++) {
            byte[] value =
                    new byte[longOnes && random.nextInt(100) == 0 ? random.nextInt(600_000) : random.nextInt(2_000)];
            random.nextBytes(value);
            ProducerRecord<byte[], byte[]> message = new ProducerRecord<>(
                    "topic",
                    random.nextBoolean() ? 3 : null,
                    random.nextBoolean() ? random.nextLong(1L << 40) : null,
                    random.nextBoolean() ? new byte[] {(byte) n} : null,
                    value);
            message.headers().add("n", new byte[] {(byte) n, 1});
            log.add(message);
        }
    }

    private static MessageLog restored(byte[] saved) {
        ByteWriter piece = new ByteWriter(saved.length);
        piece.writeBytes(saved);
        return MessageLog.readFrom(new ByteReader(piece.toByteArray()));
    }

    private static byte[] bytes(MessageLog log) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (ByteBuffer part : log.parts()) {
            byte[] bytes = new byte[part.remaining()];
            part.get(bytes);
            out.writeBytes(bytes);
        }
        return out.toByteArray();
    }
}
