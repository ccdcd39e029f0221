// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import io.thalweg.files.record.Words;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A field as it stands in texts, and the field that followed it last time. */
final class SeenField {
    /** So many bytes are compared by the first and the last eight of them alone. */
    private static final int TWO_WORDS = 2 * Long.BYTES;

    /** Stands nowhere. */
    static final SeenField NONE = named(-1);

    /** Which declared field it is, or -1. */
    final int index;

    /** How many bytes stand before its value. */
    final int length;

    /** How many bytes {@link #isAt} looks at; more than an array can have if nothing is known of them. */
    final int span;

    /** Of the bytes before its value. */
    final int hash;

    /** What followed last time. */
    SeenField next = NONE;

    /** What stands between the value before, or the opening bracket, and its own: {@code ,"name":}; zeros up to eight. */
    private final byte[] text;

    private final int lastWord;
    private final long first;
    private final long last;
    private final long mask;
    private final boolean forgetful;
    private @Nullable FieldOrder inside;

    private SeenField(int index, byte[] bytes, int hash, boolean forgetful) {
        this.index = index;
        this.hash = hash;
        this.forgetful = forgetful;
        length = bytes.length;
        text = Arrays.copyOf(bytes, Math.max(length, Long.BYTES));
        lastWord = text.length - Long.BYTES;
        span = length == 0 ? Integer.MAX_VALUE : text.length;
        first = Words.at(text, 0);
        last = Words.at(text, lastWord);
        mask = -1L >>> Math.max(0, Long.SIZE - Byte.SIZE * length);
    }

    /** @param bytes from the end of the value before to its own value */
    static SeenField at(int index, byte[] bytes, int hash) {
        return new SeenField(index, bytes, hash, false);
    }

    /** One that is not known by its bytes, though what follows it is. */
    static SeenField named(int index) {
        return new SeenField(index, new byte[0], 0, false);
    }

    /** One of which nothing is remembered. */
    static SeenField unknown() {
        return new SeenField(-1, new byte[0], 0, true);
    }

    /** True if the field stands there, up to its value. */
    boolean isAt(byte[] bytes, int at) {
        long difference = (Words.at(bytes, at) ^ first) | (Words.at(bytes, at + lastWord) ^ last);
        return (difference & mask) == 0
                && (length <= TWO_WORDS || Arrays.equals(bytes, at, at + length, text, 0, length));
    }

    void followedBy(SeenField field) {
        if (!forgetful && field.length > 0) {
            next = field;
        }
    }

    /** The fields of the objects that are its value, or stand in the array that is. */
    FieldOrder inside() {
        if (inside == null) {
            inside = forgetful ? FieldOrder.forgetful() : FieldOrder.undeclared();
        }
        return inside;
    }
}
