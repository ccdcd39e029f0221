// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.control;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.cli.report.StatsFile;
import io.thalweg.run.PlainText;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;

/** The lines between a job and those who ask it: objects, and objects in objects. */
final class ControlJson {
    private record Problem(String error) {}

    private ControlJson() {}

    /** In one line. */
    static String line(Record record) {
        return StatsFile.line(record);
    }

    static String error(String message) {
        return line(new Problem(PlainText.line(message)));
    }

    static String error(Throwable problem) {
        Throwable cause =
                problem instanceof CompletionException && problem.getCause() != null ? problem.getCause() : problem;
        return error(cause instanceof ConnectorException ? String.valueOf(cause.getMessage()) : cause.toString());
    }

    /**
     * Values by name; those of an object inside as {@code outer.inner}. What is null is missing.
     *
     * @throws IOException if it is no such object
     */
    static Map<String, String> read(String line) throws IOException {
        Map<String, String> values = new LinkedHashMap<>();
        try (JsonParser json = new JsonFactory().createParser(line)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("not an object");
            }
            readObject(json, "", values);
        }
        return values;
    }

    private static void readObject(JsonParser json, String prefix, Map<String, String> values) throws IOException {
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = prefix + json.currentName();
            JsonToken value = json.nextToken();
            if (value == JsonToken.START_OBJECT) {
                readObject(json, name + ".", values);
            } else if (value == JsonToken.START_ARRAY) {
                json.skipChildren();
            } else if (value != JsonToken.VALUE_NULL) {
                values.put(name, json.getText());
            }
        }
        if (json.currentToken() != JsonToken.END_OBJECT) {
            throw new IOException("cut short");
        }
    }
}
