// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

/** Passes over a value that nobody asked for; it must be valid all the same. */
final class JsonSkip {
    private JsonSkip() {}

    static void value(JsonInput in) {
        switch (in.skipWhitespace()) {
            case '"' -> JsonText.skip(in);
            case '{' -> object(in);
            case '[' -> array(in);
            case 't', 'f' -> in.readBoolean();
            case 'n' -> in.nextIsNull();
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> in.position = JsonNumber.end(in, in.position);
            default -> throw in.expected("a JSON value");
        }
    }

    private static void object(JsonInput in) {
        in.openObject();
        for (boolean more = in.firstName(); more; more = in.nextName()) {
            if (in.skipWhitespace() != '"') {
                throw in.expected("a field's name in quotes");
            }
            JsonText.skip(in);
            in.colon();
            value(in);
        }
    }

    private static void array(JsonInput in) {
        in.openArray();
        for (boolean more = in.firstElement(); more; more = in.nextElement()) {
            value(in);
        }
    }
}
