// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON as maps, lists, texts, numbers and booleans. */
final class JsonTree {
    private JsonTree() {}

    static @Nullable Object of(byte[] text) throws IOException {
        try (JsonParser json = new JsonFactory().createParser(text)) {
            json.nextToken();
            return value(json);
        }
    }

    private static @Nullable Object value(JsonParser json) throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> object = new LinkedHashMap<>();
                while (json.nextToken() != JsonToken.END_OBJECT) {
                    String name = json.currentName();
                    json.nextToken();
                    object.put(name, value(json));
                }
                yield object;
            }
            case START_ARRAY -> {
                List<@Nullable Object> array = new ArrayList<>();
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    array.add(value(json));
                }
                yield array;
            }
            case VALUE_NUMBER_INT -> json.getLongValue();
            case VALUE_NUMBER_FLOAT -> json.getDoubleValue();
            case VALUE_TRUE, VALUE_FALSE -> json.getBooleanValue();
            case VALUE_NULL -> null;
            default -> json.getText();
        };
    }
}
