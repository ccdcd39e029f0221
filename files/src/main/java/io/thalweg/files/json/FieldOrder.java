// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import io.thalweg.files.record.Words;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The fields of the objects that stand at one place of the texts. Most objects have the same fields as the one before, in
 * the same order: each field knows which one followed it last time, and if that one follows again, its name is compared
 * and not looked up.
 */
final class FieldOrder {
    /** Longer names are looked up each time. */
    private static final int MAX_LENGTH = 256;

    /** Stands before the first field. */
    final SeenField start;

    private final FieldNames names;
    private final SeenField[] declared;
    private final Map<String, SeenField> undeclared = new HashMap<>();

    private FieldOrder(FieldNames names, SeenField start) {
        this.names = names;
        this.start = start;
        declared = new SeenField[names.size()];
        for (int i = 0; i < declared.length; i++) {
            declared[i] = SeenField.declared(i, names.name(i));
        }
    }

    static FieldOrder of(FieldNames names) {
        return new FieldOrder(names, SeenField.start());
    }

    /** Of objects that nobody declared. */
    static FieldOrder undeclared() {
        return new FieldOrder(FieldNames.NONE, SeenField.start());
    }

    /** Looks every name up. */
    static FieldOrder forgetful() {
        return new FieldOrder(FieldNames.NONE, SeenField.forgotten(-1));
    }

    /** The field before the one that is expected: {@link #start}, or a declared one. */
    SeenField before(int expected) {
        return expected == 0 ? start : declared[expected - 1];
    }

    /** Takes a name that was not foreseen, and its colon. */
    SeenField read(JsonInput in, SeenField before) {
        if (in.skipWhitespace() != '"') {
            throw in.expected("a field's name in quotes");
        }
        int begin = in.position;
        int index = JsonText.readName(in, names);
        int end = in.position;
        in.colon();
        SeenField field = index >= 0 ? declared[index] : in.position == end + 1 ? find(in, begin, end) : in.unknown;
        before.followedBy(field);
        return field;
    }

    /** @param begin where the quoted name begins that a colon follows */
    private SeenField find(JsonInput in, int begin, int end) {
        if (end - begin > MAX_LENGTH || !start.remembered() || Words.indexOf((byte) '\\', in.bytes, begin, end) >= 0) {
            return in.unknown;
        }
        String name = new String(in.bytes, begin, end - begin, StandardCharsets.UTF_8);
        SeenField field = undeclared.get(name);
        if (field == null) {
            if (!in.mayRemember()) {
                return in.unknown;
            }
            field = SeenField.undeclared(Arrays.copyOfRange(in.bytes, begin, end + 1));
            undeclared.put(name, field);
        }
        return field;
    }
}
