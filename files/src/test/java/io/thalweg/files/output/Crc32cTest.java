// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

final class Crc32cTest {
    private static final int ROUNDS = 200;

    private static long sum(byte[] bytes, int from, int to) {
        CRC32C sum = new CRC32C();
        sum.update(bytes, from, to - from);
        return sum.getValue();
    }

    @Test
    void shouldJoinTheSumsOfTwoPieces() {
        Random random = new Random(7);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = new byte[random.nextInt(5_000)];
            random.nextBytes(bytes);
            int border = random.nextInt(bytes.length + 1);
            long joined = Crc32c.joined(sum(bytes, 0, border), sum(bytes, border, bytes.length), bytes.length - border);
            assertThat(joined).as("%d bytes at %d", bytes.length, border).isEqualTo(sum(bytes, 0, bytes.length));
        }
    }
}
