// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.output;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.zip.CRC32C;

/** Checksums of files, and of one piece behind another. */
final class Crc32c {
    private static final int BUFFER_BYTES = 64 * 1024;

    /** Castagnoli's polynomial, its lowest power in the highest bit. */
    private static final int POLYNOMIAL = 0x82F6_3B78;

    private static final int ONE = 1 << 31;
    private static final int X = 1 << 30;

    private Crc32c() {}

    /** Of the first bytes of a file, which is at least as long. */
    static long ofFile(Path path, long length) throws IOException {
        CRC32C sum = new CRC32C();
        try (SeekableByteChannel file =
                        Files.newByteChannel(path, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
                InputStream in = Channels.newInputStream(file)) {
            byte[] buffer = new byte[BUFFER_BYTES];
            long left = length;
            while (left > 0) {
                int read = in.read(buffer, 0, (int) Math.min(left, buffer.length));
                if (read < 0) {
                    return -1;
                }
                sum.update(buffer, 0, read);
                left -= read;
            }
        }
        return sum.getValue();
    }

    /** The checksum of two pieces as one: the first is multiplied by x^8 for each byte of the second. */
    static long joined(long first, long second, long secondBytes) {
        int factor = ONE;
        int power = X;
        for (long bits = secondBytes * 8; bits > 0; bits >>= 1) {
            if ((bits & 1) != 0) {
                factor = product(factor, power);
            }
            power = product(power, power);
        }
        return (product(factor, (int) first) ^ (int) second) & 0xFFFF_FFFFL;
    }

    /** Of two polynomials over bits, modulo the polynomial. */
    private static int product(int a, int b) {
        int product = 0;
        int shifted = b;
        for (int bit = ONE; bit != 0; bit >>>= 1) {
            if ((a & bit) != 0) {
                product ^= shifted;
            }
            shifted = (shifted & 1) == 0 ? shifted >>> 1 : (shifted >>> 1) ^ POLYNOMIAL;
        }
        return product;
    }
}
