// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads what a {@link ByteWriter} wrote, in the same order. Not thread-safe. All reading methods throw {@link
 * CodecException} if the bytes end early.
 */
public final class ByteReader {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] bytes;
    private final int limit;
    private int position;

    /** Reads a whole array, which is not copied. */
    public ByteReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    /** Reads a part of an array, which is not copied. */
    public ByteReader(byte[] bytes, int offset, int length) {
        this.bytes = bytes;
        this.position = offset;
        this.limit = offset + length;
    }

    /** One byte, as a signed number. */
    public int readByte() {
        need(1);
        return bytes[position++];
    }

    /** One byte: false if it is 0. */
    public boolean readBoolean() {
        return readByte() != 0;
    }

    /** Eight bytes, little-endian. */
    public long readLong() {
        need(8);
        long value = (long) LONGS.get(bytes, position);
        position += 8;
        return value;
    }

    /** Eight bytes, little-endian; every NaN keeps its bits. */
    public double readDouble() {
        return Double.longBitsToDouble(readLong());
    }

    /** A number that was written with {@link ByteWriter#writeVarLong}. */
    public long readVarLong() {
        long rest = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int next = readByte();
            rest |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return (rest >>> 1) ^ -(rest & 1);
            }
        }
        throw new CodecException("a number of more than ten bytes at " + position);
    }

    /**
     * A length that was written with {@link ByteWriter#writeVarLong}, checked against the bytes that are left, so that
     * corrupt input cannot cause a huge allocation.
     */
    public int readLength() {
        long length = readVarLong();
        if (length < 0 || length > limit - position) {
            throw new CodecException("a length of " + length + " with " + (limit - position) + " bytes left");
        }
        return (int) length;
    }

    /** A new array, which was written with its length. */
    public byte[] readBytes() {
        int length = readLength();
        byte[] value = Arrays.copyOfRange(bytes, position, position + length);
        position += length;
        return value;
    }

    /** A text that was written with {@link ByteWriter#writeText}. */
    public String readText() {
        if (readBoolean()) {
            return new String(readBytes(), StandardCharsets.UTF_8);
        }
        char[] chars = new char[readLength()];
        for (int i = 0; i < chars.length; i++) {
            chars[i] = (char) (readByte() << 8 | (readByte() & 0xff));
        }
        return new String(chars);
    }

    /** The number of bytes that are left. */
    public int remaining() {
        return limit - position;
    }

    private void need(int more) {
        if (limit - position < more) {
            throw new CodecException("the bytes end " + (more - (limit - position)) + " too early");
        }
    }
}
