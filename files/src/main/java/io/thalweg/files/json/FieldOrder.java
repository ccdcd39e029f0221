// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import io.thalweg.files.record.TextCache;
import io.thalweg.files.record.Words;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The fields of the objects that stand at one place of the texts. Most objects have the same fields as the one before, in
 * the same order and with the same white space: each field knows which one followed it last time, and if that one follows
 * again, its bytes are compared and its name is not looked up.
 */
final class FieldOrder {
    /** What is longer is not remembered. */
    private static final int MAX_LENGTH = 256;

    private static final int FIRST_SLOTS = 16;
    /** A name that needs more is not remembered, so that none can be chosen to be slow. */
    private static final int MAX_PROBES = 8;

    private final FieldNames names;
    private final boolean forgetful;
    /** The declared fields as they stood last. */
    private final SeenField[] declared;
    /** The others, by the bytes between two values: open addressing, at most half full. */
    private @Nullable SeenField[] seen = new SeenField[FIRST_SLOTS];

    private int size;
    /** What is known to follow the opening bracket, and each of the declared fields. */
    private final SeenField[] before;

    private FieldOrder(FieldNames names, boolean forgetful) {
        this.names = names;
        this.forgetful = forgetful;
        before = new SeenField[names.size() + 1];
        declared = new SeenField[names.size()];
        Arrays.fill(declared, SeenField.NONE);
        for (int i = 0; i < before.length; i++) {
            before[i] = SeenField.named(i - 1);
        }
    }

    static FieldOrder of(FieldNames names) {
        return new FieldOrder(names, false);
    }

    /** Of objects that nobody declared. */
    static FieldOrder undeclared() {
        return new FieldOrder(FieldNames.NONE, false);
    }

    /** Looks every name up. */
    static FieldOrder forgetful() {
        return new FieldOrder(FieldNames.NONE, true);
    }

    /** What stands before the field that is expected: from 0, which follows the opening bracket. */
    SeenField before(int expected) {
        return before[expected];
    }

    /**
     * Takes a name that was not foreseen, and goes to its value.
     *
     * @param from where the value before ends, or the opening bracket
     */
    SeenField read(JsonInput in, SeenField last, int from) {
        if (in.skipWhitespace() != '"') {
            throw in.expected("a field's name in quotes");
        }
        int name = in.position;
        int end = JsonText.skip(in, name);
        in.position = end;
        in.colon();
        in.skipWhitespace();
        int length = in.position - from;
        boolean rememberable = !forgetful && length <= MAX_LENGTH && from <= in.lastWord;
        int index = JsonText.index(in, names, name, end);
        SeenField field;
        if (index >= 0) {
            field = rememberable ? declared(in, from, length, index) : before[index + 1];
        } else {
            field = rememberable ? undeclared(in, from, length) : in.unknown;
        }
        last.followedBy(field);
        return field;
    }

    private SeenField declared(JsonInput in, int from, int length, int index) {
        SeenField field = declared[index];
        if (field.length == length && field.isAt(in.bytes, from)) {
            return field;
        }
        if (!in.mayRemember()) {
            return before[index + 1];
        }
        declared[index] = SeenField.at(index, Arrays.copyOfRange(in.bytes, from, in.position), 0);
        return declared[index];
    }

    private SeenField undeclared(JsonInput in, int from, int length) {
        int hash = hash(in, from, length);
        for (int i = 0; i < MAX_PROBES; i++) {
            int slot = hash + i & seen.length - 1;
            SeenField field = seen[slot];
            if (field == null) {
                return in.mayRemember() ? add(in, from, slot, hash) : in.unknown;
            }
            if (field.hash == hash && field.length == length && field.isAt(in.bytes, from)) {
                return field;
            }
        }
        return in.unknown;
    }

    private SeenField add(JsonInput in, int from, int slot, int hash) {
        SeenField field = SeenField.at(-1, Arrays.copyOfRange(in.bytes, from, in.position), hash);
        seen[slot] = field;
        if (++size > seen.length / 2) {
            grow();
        }
        return field;
    }

    private void grow() {
        @Nullable SeenField[] all = seen;
        seen = new SeenField[all.length * 2];
        for (SeenField field : all) {
            if (field != null) {
                int slot = field.hash & seen.length - 1;
                while (seen[slot] != null) {
                    slot = slot + 1 & seen.length - 1;
                }
                seen[slot] = field;
            }
        }
    }

    private static int hash(JsonInput in, int from, int length) {
        long hash = 0;
        int at = from;
        for (; at <= from + length - Long.BYTES; at += Long.BYTES) {
            hash = TextCache.hash(hash, Words.at(in.bytes, at));
        }
        int rest = from + length - at;
        long tail = rest == 0 ? 0 : in.word(at) & (-1L >>> (Long.SIZE - Byte.SIZE * rest));
        return (int) (TextCache.hash(hash, tail) >>> 32);
    }
}
