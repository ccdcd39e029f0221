// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python.arrow;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes FlatBuffers front to back. A table begins at a multiple of 8 bytes, with its vtable before it. Fields are zero until they are
 * set; what they refer to is written after them.
 */
final class FlatWriter {
    private static final int ALIGNMENT = 8;

    private ByteBuffer out = ByteBuffer.allocate(1024).order(ByteOrder.LITTLE_ENDIAN);
    private int end = 4; // after the place of the root

    /**
     * Adds a table.
     *
     * @param sizes bytes of each field; 0 for one that is left out
     */
    Table table(int... sizes) {
        int[] offsets = new int[sizes.length];
        int size = 4;
        for (int i = 0; i < sizes.length; i++) {
            if (sizes[i] > 0) {
                offsets[i] = aligned(size, sizes[i]);
                size = offsets[i] + sizes[i];
            }
        }
        int vtable = 4 + 2 * sizes.length;
        int start = aligned(end + vtable, ALIGNMENT);
        int from = start - vtable;
        grow(start + size);
        out.putShort(from, (short) vtable).putShort(from + 2, (short) size);
        for (int i = 0; i < offsets.length; i++) {
            out.putShort(from + 4 + 2 * i, (short) offsets[i]);
        }
        out.putInt(start, vtable);
        end = start + size;
        return new Table(start, offsets);
    }

    void root(Table table) {
        out.putInt(0, table.start);
    }

    /** Adds a vector. @return where its first element is */
    int vector(int elements, int size) {
        int first = aligned(end + 4, size);
        grow(first + elements * size);
        out.putInt(first - 4, elements);
        end = first + elements * size;
        return first;
    }

    void setLong(int at, long value) {
        out.putLong(at, value);
    }

    /** Sets an element of a vector of tables. */
    void refer(int at, Table to) {
        out.putInt(at, to.start - at);
    }

    private static int aligned(int at, int size) {
        return (at + size - 1) / size * size;
    }

    private void grow(int size) {
        if (size > out.capacity()) {
            byte[] grown = Arrays.copyOf(out.array(), Math.max(size, 2 * out.capacity()));
            out = ByteBuffer.wrap(grown).order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    /** @return what was written, to a multiple of 8 bytes */
    byte[] bytes() {
        return Arrays.copyOf(out.array(), aligned(end, ALIGNMENT));
    }

    /** A table whose fields can be set. */
    final class Table {
        private final int start;
        private final int[] offsets;

        private Table(int start, int[] offsets) {
            this.start = start;
            this.offsets = offsets;
        }

        private int at(int field) {
            return start + offsets[field];
        }

        Table set(int field, byte value) {
            out.put(at(field), value);
            return this;
        }

        Table set(int field, short value) {
            out.putShort(at(field), value);
            return this;
        }

        Table set(int field, int value) {
            out.putInt(at(field), value);
            return this;
        }

        Table set(int field, long value) {
            out.putLong(at(field), value);
            return this;
        }

        Table refer(int field, Table to) {
            FlatWriter.this.refer(at(field), to);
            return this;
        }

        Table referToVector(int field, int first) {
            out.putInt(at(field), first - 4 - at(field));
            return this;
        }

        Table refer(int field, String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            int first = aligned(end, 4) + 4;
            grow(first + bytes.length + 1); // a zero ends it
            out.putInt(first - 4, bytes.length);
            out.put(first, bytes);
            end = first + bytes.length + 1;
            return referToVector(field, first);
        }
    }
}
