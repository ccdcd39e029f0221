// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import java.util.Random;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class MessageLogTest {
    /** A checkpoint may be given up, and the next one then holds the same messages again. */
    @Test
    void shouldKeepMessages_howeverOftenTheyAreSaved() {
        long seed = new Random().nextInt(100_000);
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        MessageLog once = new MessageLog();
        MessageLog often = new MessageLog();
        for (int n = 0; n < 2_000; n++) {
            byte[] value = new byte[random.nextInt(100) == 0 ? random.nextInt(600_000) : random.nextInt(2_000)];
            random.nextBytes(value);
            ProducerRecord<byte[], byte[]> message = new ProducerRecord<>(
                    "topic",
                    random.nextBoolean() ? 3 : null,
                    random.nextBoolean() ? random.nextLong(1L << 40) : null,
                    random.nextBoolean() ? new byte[] {(byte) n} : null,
                    value);
            message.headers().add("n", new byte[] {(byte) n, 1});
            once.add(message);
            often.add(message);
            if (random.nextInt(200) == 0) {
                ByteWriter checkpoint = new ByteWriter(16);
                checkpoint.writeText("what is saved before it");
                often.writeTo(checkpoint);
            }
        }
        byte[] expected = bytes(once);
        assertThat(bytes(often)).isEqualTo(expected);
        MessageLog restored = MessageLog.readFrom(new ByteReader(expected));
        assertThat(restored.size()).isEqualTo(once.size());
        assertThat(bytes(restored)).isEqualTo(expected);
    }

    private static byte[] bytes(MessageLog log) {
        ByteWriter out = new ByteWriter(16);
        log.writeTo(out);
        return out.toByteArray();
    }
}
