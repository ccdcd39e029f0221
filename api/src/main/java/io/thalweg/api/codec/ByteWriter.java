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

/** A growing array of bytes, little-endian. For one thread. */
public final class ByteWriter {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] bytes;
    private int size;

    public ByteWriter(int capacity) {
        bytes = new byte[Math.max(16, capacity)];
    }

    public void writeByte(int value) {
        ensure(1);
        bytes[size++] = (byte) value;
    }

    public void writeBoolean(boolean value) {
        writeByte(value ? 1 : 0);
    }

    /** Eight bytes. */
    public void writeLong(long value) {
        ensure(8);
        LONGS.set(bytes, size, value);
        size += 8;
    }

    public void writeDouble(double value) {
        writeLong(Double.doubleToRawLongBits(value));
    }

    /** One to ten bytes; short for small numbers of either sign. */
    public void writeVarLong(long value) {
        ensure(10);
        long rest = (value << 1) ^ (value >> 63);
        while ((rest & ~0x7fL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    public void writeBytes(byte[] value) {
        writeBytes(value, 0, value.length);
    }

    /** A part of an array. */
    public void writeBytes(byte[] value, int from, int length) {
        writeVarLong(length);
        ensure(length);
        System.arraycopy(value, from, bytes, size, length);
        size += length;
    }

    /** UTF-8, or each char in two bytes if the text is not well formed: every String comes back as it was. */
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

    public int size() {
        return size;
    }

    /** Empties the writer and keeps its array. */
    public void clear() {
        size = 0;
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    public void writeTo(OutputStream out) throws IOException {
        out.write(bytes, 0, size);
    }

    /** The same to what Java's own serialization writes to. */
    public void copyTo(DataOutput out) throws IOException {
        out.write(bytes, 0, size);
    }

    /**
     * Goes on in an array of the caller's, from an index on. Where it becomes too small, what is written stands in another one:
     * {@link #array} tells.
     */
    public void wrap(byte[] array, int from) {
        bytes = array;
        size = from;
    }

    /** The array that holds what is written, itself. */
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
