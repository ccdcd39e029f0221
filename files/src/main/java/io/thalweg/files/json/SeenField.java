// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import io.thalweg.files.record.Words;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A field as it stands in texts, and the field that followed it last time. */
final class SeenField {
    /** A name of which {@code "name":} takes up to so many bytes is compared by its first and last eight alone. */
    private static final int TWO_WORDS = 2 * Long.BYTES;

    /** Its name stands nowhere. */
    private static final SeenField NONE = new SeenField(-1, false, new byte[0]);

    /** Which declared field it is, or -1. */
    final int index;

    /** Length of {@code "name":}. */
    final int length;

    /** How many bytes {@link #isAt} looks at; more than an array can have if the name cannot be foreseen. */
    final int span;

    /** The field that followed last time; its name is tried first. */
    SeenField next = NONE;

    private final boolean remembered;
    /** {@code "name":}, and zeros up to eight bytes. */
    private final byte[] text;

    private final int lastWord;
    private final long first;
    private final long last;
    private final long mask;
    private @Nullable FieldOrder inside;

    private SeenField(int index, boolean remembered, byte[] quoted) {
        this.index = index;
        this.remembered = remembered;
        length = quoted.length;
        text = Arrays.copyOf(quoted, Math.max(length, Long.BYTES));
        lastWord = text.length - Long.BYTES;
        span = length == 0 ? Integer.MAX_VALUE : text.length;
        first = Words.at(text, 0);
        last = Words.at(text, lastWord);
        mask = -1L >>> Math.max(0, Long.SIZE - Byte.SIZE * length);
    }

    /** Stands before the first field of an object. */
    static SeenField start() {
        return new SeenField(-1, true, new byte[0]);
    }

    static SeenField declared(int index, String name) {
        byte[] quoted = ('"' + name + "\":").getBytes(StandardCharsets.UTF_8);
        return FieldNames.plain(name) ? new SeenField(index, true, quoted) : forgotten(index);
    }

    /** @param quoted {@code "name":} */
    static SeenField undeclared(byte[] quoted) {
        return new SeenField(-1, true, quoted);
    }

    /** One that is never foreseen. */
    static SeenField forgotten(int index) {
        return new SeenField(index, false, new byte[0]);
    }

    boolean remembered() {
        return remembered;
    }

    /** True if the name stands there, quotes and colon included. */
    boolean isAt(byte[] bytes, int at) {
        long difference = (Words.at(bytes, at) ^ first) | (Words.at(bytes, at + lastWord) ^ last);
        return (difference & mask) == 0
                && (length <= TWO_WORDS || Arrays.equals(bytes, at, at + length, text, 0, length));
    }

    void followedBy(SeenField field) {
        if (remembered && field.remembered) {
            next = field;
        }
    }

    /** The fields of the objects that are its value, or stand in the array that is. */
    FieldOrder inside() {
        if (inside == null) {
            inside = remembered ? FieldOrder.undeclared() : FieldOrder.forgetful();
        }
        return inside;
    }
}
