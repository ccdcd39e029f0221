// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python.arrow;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The values of one name, in the layout of their type. Rows are put in turn; a row that is put again replaces the one before. */
abstract class Column {
    private static final int FIRST_ROWS = 512;

    /** After a larger batch, its memory is given back. */
    private static final int MOST_KEPT = 16 << 20;

    final String name;
    final ArrowType type;
    final boolean nullable;

    private byte[] validity = new byte[FIRST_ROWS / 8];

    Column(String name, ArrowType type, boolean nullable) {
        this.name = name;
        this.type = type;
        this.nullable = nullable;
    }

    /**
     * Where the buffers of a column lie within what was received.
     *
     * @param validity -1 if no value is missing
     * @param offsets only of values of various lengths
     */
    record Place(int validity, int offsets, int data) {}

    /** @return how many bytes the value takes */
    final int put(int row, @Nullable Object value) {
        if (nullable) {
            validity = large(validity, row / 8 + 1);
            bit(validity, row, value != null);
        }
        if (value == null) {
            if (!nullable) {
                throw new IllegalStateException(name + " is null"); // a primitive cannot be
            }
            putNothing(row);
            return 1;
        }
        return putValue(row, value);
    }

    final int nulls(int rows) {
        if (!nullable) {
            return 0;
        }
        int present = 0;
        for (int i = 0; i < rows / 8; i++) {
            present += Integer.bitCount(validity[i] & 0xff);
        }
        if (rows % 8 != 0) {
            present += Integer.bitCount(validity[rows / 8] & ((1 << rows % 8) - 1));
        }
        return rows - present;
    }

    /** Tells the buffers of so many rows: bytes, and how many of them count. */
    void buffers(int rows, BiConsumer<byte[], Integer> to) {
        to.accept(validity, nulls(rows) == 0 ? 0 : bytesOfBits(rows));
        values(rows, to);
    }

    final @Nullable Object get(ByteBuffer in, Place place, int row) {
        return place.validity >= 0 && !bit(in, place.validity, row) ? null : value(in, place, row);
    }

    abstract int putValue(int row, Object value);

    abstract void putNothing(int row);

    abstract void values(int rows, BiConsumer<byte[], Integer> to);

    /** How many buffers it has, with that of validity. */
    abstract int buffers();

    /** How many bytes the last of them must have at least. */
    abstract long least(ByteBuffer in, Place place, int rows);

    abstract @Nullable Object value(ByteBuffer in, Place place, int row);

    /** The same array, or a larger one with its content. */
    static byte[] large(byte[] array, int size) {
        return size <= array.length
                ? array
                : Arrays.copyOf(array, (int) Math.min(Math.max(size, 2L * array.length), Integer.MAX_VALUE - 8));
    }

    static byte[] notTooLarge(byte[] array) {
        return array.length > MOST_KEPT ? new byte[0] : array;
    }

    static int bytesOfBits(int rows) {
        return (rows + 7) / 8;
    }

    static void bit(byte[] bits, int at, boolean set) {
        int mask = 1 << at % 8;
        bits[at / 8] = (byte) (set ? bits[at / 8] | mask : bits[at / 8] & ~mask);
    }

    static boolean bit(ByteBuffer in, int bits, int at) {
        return (in.get(bits + at / 8) >> at % 8 & 1) != 0;
    }

    /** Nulls, which take no memory. */
    static final class Nothing extends Column {
        Nothing(String name, boolean nullable) {
            super(name, ArrowType.NOTHING, nullable);
        }

        @Override
        int putValue(int row, Object value) {
            throw new IllegalStateException(name + " is not null");
        }

        @Override
        void putNothing(int row) {}

        @Override
        void buffers(int rows, BiConsumer<byte[], Integer> to) {}

        @Override
        void values(int rows, BiConsumer<byte[], Integer> to) {}

        @Override
        int buffers() {
            return 0;
        }

        @Override
        long least(ByteBuffer in, Place place, int rows) {
            return 0;
        }

        @Override
        @Nullable Object value(ByteBuffer in, Place place, int row) {
            return null;
        }
    }

    /** A bit for each. */
    static final class Bits extends Column {
        private byte[] data = new byte[FIRST_ROWS / 8];

        Bits(String name, boolean nullable) {
            super(name, ArrowType.BOOL, nullable);
        }

        @Override
        int putValue(int row, Object value) {
            data = large(data, row / 8 + 1);
            bit(data, row, (Boolean) value);
            return 1;
        }

        @Override
        void putNothing(int row) {
            putValue(row, false);
        }

        @Override
        void values(int rows, BiConsumer<byte[], Integer> to) {
            to.accept(data, bytesOfBits(rows));
        }

        @Override
        int buffers() {
            return 2;
        }

        @Override
        long least(ByteBuffer in, Place place, int rows) {
            return bytesOfBits(rows);
        }

        @Override
        Object value(ByteBuffer in, Place place, int row) {
            return bit(in, place.data, row);
        }
    }

    /** As many bytes for each. */
    static final class Fixed extends Column {
        /** One value, little endian. */
        interface Cell {
            void put(byte[] data, int at, Object value);

            Object get(ByteBuffer in, int at);
        }

        private final int width;
        private final Cell cell;
        private byte[] data;

        Fixed(String name, ArrowType type, boolean nullable, int width, Cell cell) {
            super(name, type, nullable);
            this.width = width;
            this.cell = cell;
            data = new byte[FIRST_ROWS * width];
        }

        @Override
        int putValue(int row, Object value) {
            data = large(data, Math.multiplyExact(row + 1, width));
            cell.put(data, row * width, value);
            return width;
        }

        @Override
        void putNothing(int row) {
            data = large(data, Math.multiplyExact(row + 1, width));
            Arrays.fill(data, row * width, (row + 1) * width, (byte) 0);
        }

        @Override
        void values(int rows, BiConsumer<byte[], Integer> to) {
            to.accept(data, rows * width);
        }

        @Override
        int buffers() {
            return 2;
        }

        @Override
        long least(ByteBuffer in, Place place, int rows) {
            return (long) rows * width;
        }

        @Override
        Object value(ByteBuffer in, Place place, int row) {
            return cell.get(in, place.data + row * width);
        }
    }

    /** Bytes one after the other, and where each ends. */
    static final class Various extends Column {
        /** One value. */
        interface Bytes {
            byte[] bytes(Object value);

            /** @param bytes from an array */
            Object value(byte[] bytes, int at, int length);
        }

        private final Bytes cell;
        private byte[] offsets = new byte[(FIRST_ROWS + 1) * 4];
        private byte[] data = new byte[FIRST_ROWS * 8];

        Various(String name, ArrowType type, boolean nullable, Bytes cell) {
            super(name, type, nullable);
            this.cell = cell;
        }

        private int offset(int row) {
            return (int) Cells.INTS.get(offsets, 4 * row);
        }

        @Override
        int putValue(int row, Object value) {
            byte[] bytes = cell.bytes(value);
            int begin = offset(row);
            int end = Math.addExact(begin, bytes.length);
            data = large(data, end);
            System.arraycopy(bytes, 0, data, begin, bytes.length);
            end(row, end);
            return bytes.length;
        }

        @Override
        void putNothing(int row) {
            end(row, offset(row));
        }

        private void end(int row, int end) {
            offsets = large(offsets, 4 * (row + 2));
            Cells.INTS.set(offsets, 4 * (row + 1), end);
        }

        @Override
        void values(int rows, BiConsumer<byte[], Integer> to) {
            to.accept(offsets, 4 * (rows + 1));
            to.accept(data, offset(rows));
            data = notTooLarge(data);
        }

        @Override
        int buffers() {
            return 3;
        }

        /** Offsets must not go back, nor begin before the data. */
        @Override
        long least(ByteBuffer in, Place place, int rows) {
            int before = 0;
            for (int row = 0; row <= rows; row++) {
                int next = in.getInt(place.offsets + 4 * row);
                if (next < before) {
                    throw new IndexOutOfBoundsException("an offset goes back");
                }
                before = next;
            }
            return before;
        }

        @Override
        Object value(ByteBuffer in, Place place, int row) {
            int begin = in.getInt(place.offsets + 4 * row);
            int end = in.getInt(place.offsets + 4 * row + 4);
            return cell.value(in.array(), in.arrayOffset() + place.data + begin, end - begin);
        }
    }
}
