// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.flink;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A part of what a server has answered in JSON. What is missing, or is of another kind, is empty or 0. */
final class Answer {
    private static final int DEEPEST = 32;

    /** Of stacks, a hundred frames of which Flink tells by default: as deep as Jackson reads. */
    private static final int DEEPEST_STACKS = 1_000;

    private static final Answer NOTHING = new Answer(null);

    private final @Nullable Object value;

    private Answer(@Nullable Object value) {
        this.value = value;
    }

    /** @throws IOException if it is not JSON */
    static Answer of(byte[] text) throws IOException {
        return of(text, DEEPEST);
    }

    /** The same, of stacks. */
    static Answer ofStacks(byte[] text) throws IOException {
        return of(text, DEEPEST_STACKS);
    }

    private static Answer of(byte[] text, int levels) throws IOException {
        try (JsonParser json = new JsonFactory().createParser(text)) {
            json.nextToken();
            return new Answer(read(json, levels));
        }
    }

    /** @param levels that may be below this one */
    private static @Nullable Object read(JsonParser json, int levels) throws IOException {
        if (levels < 0) {
            throw new IOException("it is nested too deeply");
        }
        JsonToken token = json.currentToken();
        if (token == null) {
            throw new IOException("it is empty");
        }
        return switch (token) {
            case START_OBJECT -> fields(json, levels);
            case START_ARRAY -> array(json, levels);
            case VALUE_NULL -> null;
            default -> json.getText();
        };
    }

    private static Map<String, Answer> fields(JsonParser json, int levels) throws IOException {
        Map<String, Answer> fields = new LinkedHashMap<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            json.nextToken();
            fields.put(name, new Answer(read(json, levels - 1)));
        }
        return fields;
    }

    private static List<Answer> array(JsonParser json, int levels) throws IOException {
        List<Answer> elements = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            elements.add(new Answer(read(json, levels - 1)));
        }
        return elements;
    }

    /** A field of it. */
    Answer at(String name) {
        return value instanceof Map<?, ?> fields && fields.get(name) instanceof Answer field ? field : NOTHING;
    }

    /** What is in it, if it is an array. */
    List<Answer> elements() {
        List<Answer> all = new ArrayList<>();
        if (value instanceof List<?> elements) {
            elements.forEach(element -> all.add((Answer) element));
        }
        return all;
    }

    /** As it was written, numbers too. */
    String text() {
        return value instanceof String text ? text : "";
    }

    /** No less than 0, and so little that sums of many do not overflow. */
    long count() {
        double number = real();
        return number > 0 ? (long) Math.min(number, MOST) : 0;
    }

    private static final double MOST = 1L << 52;

    /** There is something, also if that is 0. */
    boolean isThere() {
        return value != null;
    }

    /** 0 if it is no number, and no greater than {@link #count} at most, for the same reason. */
    double real() {
        if (value instanceof String text && !text.isEmpty() && text.length() < 32) {
            try {
                double number = Double.parseDouble(text);
                return Double.isFinite(number) ? Math.max(-MOST, Math.min(number, MOST)) : 0;
            } catch (NumberFormatException e) {
                return 0;
            }
        }
        return 0;
    }
}
