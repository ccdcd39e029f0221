// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

final class Crc32cTest {
    private static int checksum(byte[] bytes, int from, int to) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, from, to - from);
        return (int) checksum.getValue();
    }

    @Test
    void shouldJoinTwoStretches() {
        Random random = new Random(4711);
        byte[] bytes = new byte[70_000];
        random.nextBytes(bytes);
        for (int length : new int[] {0, 1, 2, 7, 255, 256, 4096, 65_537, bytes.length}) {
            for (int cut : new int[] {0, 1, length / 3, length}) {
                int at = Math.min(cut, length);
                assertThat(Crc32c.join(checksum(bytes, 0, at), checksum(bytes, at, length), length - at))
                        .as("%d bytes, cut at %d", length, at)
                        .isEqualTo(checksum(bytes, 0, length));
            }
        }
    }
}
