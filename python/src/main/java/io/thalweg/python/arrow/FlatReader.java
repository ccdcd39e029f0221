// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python.arrow;

import java.nio.ByteBuffer;

/**
 * Reads FlatBuffers. What does not lie within the buffer ends in an {@link IndexOutOfBoundsException}.
 *
 * @param in little endian, from its beginning to its limit
 */
record FlatReader(ByteBuffer in) {
    int root() {
        return in.getInt(0);
    }

    /** Where a field of a table is; 0 if it is left out. */
    int field(int table, int field) {
        int vtable = table - in.getInt(table);
        int at = vtable + 4 + 2 * field;
        if (at >= vtable + (in.getShort(vtable) & 0xffff)) {
            return 0;
        }
        int offset = in.getShort(at) & 0xffff;
        return offset == 0 ? 0 : table + offset;
    }

    long longField(int table, int field) {
        int at = field(table, field);
        return at == 0 ? 0 : in.getLong(at);
    }

    int byteField(int table, int field) {
        int at = field(table, field);
        return at == 0 ? 0 : in.get(at);
    }

    /** The table that a field refers to. */
    int table(int table, int field) {
        int at = field(table, field);
        if (at == 0) {
            throw new IndexOutOfBoundsException("a table is missing");
        }
        return at + in.getInt(at);
    }

    /** Where the first element of a vector is; the number of elements is before it. */
    int vector(int table, int field) {
        return table(table, field) + 4;
    }

    int elements(int first) {
        return in.getInt(first - 4);
    }
}
