// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.study;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads settings of cells: texts by name, and what stands in {@code set: {KEY: VALUE}} by {@code set.KEY}. */
final class SettingsReader extends JsonDeserializer<Map<String, String>> {
    @Override
    public Map<String, String> deserialize(JsonParser in, DeserializationContext context) throws IOException {
        if (!in.isExpectedStartObjectToken()) {
            context.reportInputMismatch(this, "settings need a name and a value each, not '" + in.getText() + "'");
        }
        Map<String, String> settings = new LinkedHashMap<>();
        read(in, context, "", settings);
        return settings;
    }

    private void read(JsonParser in, DeserializationContext context, String prefix, Map<String, String> settings)
            throws IOException {
        for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
            JsonToken token = in.nextToken();
            if (token == JsonToken.START_OBJECT && prefix.isEmpty() && name.equals("set")) {
                read(in, context, "set.", settings);
            } else if (token.isScalarValue() && token != JsonToken.VALUE_NULL) {
                settings.put(prefix + name, in.getText());
            } else {
                context.reportInputMismatch(this, "the setting " + prefix + name + " needs a single value");
            }
        }
    }
}
