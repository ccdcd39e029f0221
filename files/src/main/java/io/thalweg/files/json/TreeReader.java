// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads any JSON value as it is. */
final class TreeReader {
    private TreeReader() {}

    static JsonValue read(JsonInput in) {
        return switch (in.skipWhitespace()) {
            case '"' -> new JsonValue.Text(JsonText.read(in));
            case '{' -> object(in);
            case '[' -> array(in);
            case 't', 'f' -> new JsonValue.Bool(in.readBoolean());
            case 'n' -> nothing(in);
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number(in);
            default -> throw in.expected("a JSON value");
        };
    }

    private static JsonValue nothing(JsonInput in) {
        in.nextIsNull();
        return new JsonValue.Null();
    }

    private static JsonValue number(JsonInput in) {
        int begin = in.position;
        int end = JsonNumber.end(in, begin);
        in.position = end;
        return new JsonValue.Numeric(new String(in.bytes, begin, end - begin, StandardCharsets.ISO_8859_1));
    }

    private static JsonValue object(JsonInput in) {
        Map<String, JsonValue> fields = new LinkedHashMap<>();
        in.openObject();
        for (boolean more = in.firstName(); more; more = in.nextName()) {
            if (in.skipWhitespace() != '"') {
                throw in.expected("a field's name in quotes");
            }
            String name = JsonText.read(in);
            in.colon();
            fields.put(name, read(in));
        }
        return new JsonValue.Fields(fields);
    }

    private static JsonValue array(JsonInput in) {
        List<JsonValue> elements = new ArrayList<>();
        in.openArray();
        for (boolean more = in.firstElement(); more; more = in.nextElement()) {
            elements.add(read(in));
        }
        return new JsonValue.Elements(elements);
    }
}
