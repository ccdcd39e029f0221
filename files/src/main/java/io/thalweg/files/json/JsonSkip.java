// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

/**
 * Passes over a value that nobody asked for; it must be valid nevertheless. The cursor is handed on as a value, because
 * each step waits for it, and goes back into {@link JsonInput#position} where something unusual comes.
 */
final class JsonSkip {
    private JsonSkip() {}

    /** Returns where the value ends. */
    static int value(JsonInput in, SeenField field, int at) {
        return switch (in.byteAt(at)) {
            case '"' -> JsonText.skip(in, at);
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> JsonNumber.skip(in, at);
            case '{' -> object(in, field.inside(), in.open(at));
            case '[' -> array(in, field, in.open(at));
            default -> other(in, field, at);
        };
    }

    private static int other(JsonInput in, SeenField field, int at) {
        in.position = at;
        switch (in.skipWhitespace()) {
            case 't', 'f' -> in.readBoolean();
            case 'n' -> in.nextIsNull();
            default -> {
                if (in.position > at && in.position < in.limit) {
                    return value(in, field, in.position);
                }
                throw in.expected("a JSON value");
            }
        }
        return in.position;
    }

    /** @param begin behind the bracket */
    private static int object(JsonInput in, FieldOrder order, int begin) {
        in.position = begin;
        in.skipFields(order);
        return in.position;
    }

    private static int array(JsonInput in, SeenField field, int begin) {
        in.position = begin;
        if (!in.firstElement()) {
            return in.position;
        }
        int at = in.position;
        while (true) {
            at = value(in, field, at);
            if (in.byteAt(at) == ',') {
                at++;
            } else {
                in.position = at;
                if (!in.nextElement()) {
                    return in.position;
                }
                at = in.position;
            }
        }
    }
}
