// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.codec;

import java.io.DataOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A growing byte array to serialize values into, little-endian. Not thread-safe.
 *
 * <pre>{@code
 * ByteWriter out = new ByteWriter(64);
 * out.writeText("till");
 * out.writeVarLong(17);
 * byte[] bytes = out.toByteArray();
 * }</pre>
 */
public final class ByteWriter {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] bytes;
    private int size;

    /**
     * An empty writer.
     *
     * @param capacity initial size of the array, in bytes
     */
    public ByteWriter(int capacity) {
        bytes = new byte[Math.max(16, capacity)];
    }

    /** One byte: the low eight bits. */
    public void writeByte(int value) {
        ensure(1);
        bytes[size++] = (byte) value;
    }

    /** One byte: 1 or 0. */
    public void writeBoolean(boolean value) {
        writeByte(value ? 1 : 0);
    }

    /** Eight bytes, little-endian. */
    public void writeLong(long value) {
        ensure(8);
        LONGS.set(bytes, size, value);
        size += 8;
    }

    /** Eight bytes, little-endian; every NaN keeps its bits. */
    public void writeDouble(double value) {
        writeLong(Double.doubleToRawLongBits(value));
    }

    /** One to ten bytes (zigzag varint): short for small numbers of either sign. */
    public void writeVarLong(long value) {
        ensure(10);
        long rest = (value << 1) ^ (value >> 63);
        while ((rest & ~0x7fL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    /** An array, preceded by its length. */
    public void writeBytes(byte[] value) {
        writeBytes(value, 0, value.length);
    }

    /** A part of an array, preceded by its length. */
    public void writeBytes(byte[] value, int from, int length) {
        writeVarLong(length);
        append(value, from, length);
    }

    /** A part of an array, without its length. */
    public void append(byte[] value, int from, int length) {
        ensure(length);
        System.arraycopy(value, from, bytes, size, length);
        size += length;
    }

    /**
     * UTF-8, or two bytes per char if the text is not well formed (an unpaired surrogate): every String is read back
     * unchanged.
     */
    public void writeText(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        boolean wellFormed = new String(utf8, StandardCharsets.UTF_8).equals(value);
        writeBoolean(wellFormed);
        if (wellFormed) {
            writeBytes(utf8);
        } else {
            writeVarLong(value.length());
            value.chars().forEach(this::writeChar);
        }
    }

    private void writeChar(int value) {
        writeByte(value >> 8);
        writeByte(value);
    }

    /** The number of bytes written so far; after {@link #wrap}, the index after the last. */
    public int size() {
        return size;
    }

    /** Empties the writer but keeps its array. */
    public void clear() {
        size = 0;
    }

    /** A copy of what was written. */
    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    /** Writes the bytes to a stream. */
    public void writeTo(OutputStream out) throws IOException {
        out.write(bytes, 0, size);
    }

    /** Writes the bytes to the output of Java serialization. */
    public void copyTo(DataOutput out) throws IOException {
        out.write(bytes, 0, size);
    }

    /**
     * Continues in an array of the caller's, from an index on. If it becomes too small, writing continues in a larger
     * copy: see {@link #array}.
     */
    public void wrap(byte[] array, int from) {
        bytes = array;
        size = from;
    }

    /** The array that holds what is written; not a copy. */
    public byte[] array() {
        return bytes;
    }

    int hash() {
        int hash = 1;
        for (int i = 0; i < size; i++) {
            hash = 31 * hash + bytes[i];
        }
        return hash;
    }

    private void ensure(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }
}
