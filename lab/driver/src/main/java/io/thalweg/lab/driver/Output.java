// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * The numbers that one sink has put out, a bit each in a file that is mapped into memory: what is there when its process is killed
 * stays. Each number is one write, of its bit or of the count of those that came again, so that none is there by half. The file is as
 * long as the greatest number needs, and takes as much of the disk as there are numbers. One thread writes.
 */
final class Output {
    /** A greater number is not kept. */
    static final long LIMIT = 1L << 32;

    private static final int REPEATED = 0;
    private static final int OUTSIDE = Long.BYTES;
    private static final int LOWEST = 2 * Long.BYTES;
    private static final int HIGHEST = 3 * Long.BYTES;
    private static final int BITS = 4 * Long.BYTES;

    private final MappedByteBuffer file;

    /** Words of the file that have bits: from the lowest to before the highest. */
    private int lowest = Integer.MAX_VALUE;

    private int highest;

    Output(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(
                path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            file = channel.map(FileChannel.MapMode.READ_WRITE, 0, BITS + LIMIT / Byte.SIZE);
        }
        file.order(ByteOrder.nativeOrder());
    }

    void add(long number) {
        if (number < 0 || number >= LIMIT) {
            file.putLong(OUTSIDE, file.getLong(OUTSIDE) + 1);
            return;
        }
        int word = (int) (number / Long.SIZE);
        if (word < lowest || word >= highest) {
            widen(word);
        }
        int at = BITS + word * Long.BYTES;
        long before = file.getLong(at);
        long after = before | 1L << number;
        if (after == before) {
            file.putLong(REPEATED, file.getLong(REPEATED) + 1);
        } else {
            file.putLong(at, after);
        }
    }

    private void widen(int word) {
        lowest = Math.min(lowest, word);
        highest = Math.max(highest, word + 1);
        file.putLong(LOWEST, lowest);
        file.putLong(HIGHEST, highest);
    }

    /** What the outputs of a run hold together. */
    static final class Sum {
        private long[] bits = {};
        private long repeated;
        private long outside;

        void add(Path path) throws IOException {
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
                MappedByteBuffer file = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
                file.order(ByteOrder.nativeOrder());
                int highest = (int) file.getLong(HIGHEST);
                if (highest > bits.length) {
                    bits = Arrays.copyOf(bits, highest);
                }
                for (int word = (int) file.getLong(LOWEST); word < highest; word++) {
                    long more = file.getLong(BITS + word * Long.BYTES);
                    repeated += Long.bitCount(bits[word] & more);
                    bits[word] |= more;
                }
                repeated += file.getLong(REPEATED);
                outside += file.getLong(OUTSIDE);
            }
        }

        boolean has(long number) {
            long word = number / Long.SIZE;
            return word < bits.length && (bits[(int) word] & 1L << number) != 0;
        }

        /** How often a number came again. */
        long repeated() {
            return repeated;
        }

        /** Numbers that are too great to be kept. */
        long outside() {
            return outside;
        }
    }
}
