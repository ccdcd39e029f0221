// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import io.thalweg.api.operator.BadRecordException;
import io.thalweg.files.output.RowFormat;
import io.thalweg.files.output.TextOutput;
import io.thalweg.files.record.RecordShape;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes records as JSON objects, in the forms that {@link JsonReader} reads. */
public final class JsonFormat<R> implements RowFormat<R> {
    private final Map<Class<?>, Fields> known = new HashMap<>();

    @Override
    public void row(R row, TextOutput output) throws Exception {
        try {
            value(row, output);
        } catch (NotInJsonException e) {
            throw new BadRecordException("JSON has no " + e.getMessage(), String.valueOf(row));
        }
    }

    private void object(Object row, TextOutput output) throws Exception {
        Fields fields = known.computeIfAbsent(row.getClass(), Fields::of);
        for (int i = 0; i < fields.prefixes.length; i++) {
            byte[] prefix = fields.prefixes[i];
            output.bytes(prefix, 0, prefix.length);
            value(fields.shape.written(row, i), output);
        }
        output.text(fields.prefixes.length == 0 ? "{}" : "}");
    }

    private void value(@Nullable Object value, TextOutput output) throws Exception {
        if (value == null) {
            output.text("null");
        } else if (value instanceof Number number) {
            number(number, output);
        } else if (value instanceof Boolean) {
            output.text(value.toString());
        } else if (value instanceof Enum<?> constant) {
            text(constant.name(), output);
        } else if (value instanceof JsonValue tree) {
            output.text(text(tree));
        } else if (value instanceof Record) {
            object(value, output);
        } else if (value instanceof Iterable<?> elements) {
            char separator = '[';
            for (Object element : elements) {
                value(element, output.ascii(separator));
                separator = ',';
            }
            output.text(separator == '[' ? "[]" : "]");
        } else if (value instanceof Map<?, ?> map) {
            map(map, output);
        } else if (value.getClass().isArray()) {
            array(value, output);
        } else if (value instanceof Optional<?> maybe) {
            value(maybe.orElse(null), output);
        } else {
            text(value.toString(), output);
        }
    }

    /** A value as JSON, without spaces. */
    static String text(JsonValue value) {
        StringBuilder text = new StringBuilder();
        append(value, text);
        return text.toString();
    }

    private static void append(JsonValue value, StringBuilder to) {
        if (value instanceof JsonValue.Fields fields) {
            char separator = '{';
            for (Map.Entry<String, JsonValue> field : fields.values().entrySet()) {
                to.append(separator).append('"').append(escaped(field.getKey())).append("\":");
                append(field.getValue(), to);
                separator = ',';
            }
            to.append(separator == '{' ? "{}" : "}");
        } else if (value instanceof JsonValue.Elements elements) {
            char separator = '[';
            for (JsonValue element : elements.values()) {
                append(element, to.append(separator));
                separator = ',';
            }
            to.append(separator == '[' ? "[]" : "]");
        } else if (value instanceof JsonValue.Text text) {
            to.append('"').append(escaped(text.value())).append('"');
        } else {
            to.append(value); // a number, true, false or null
        }
    }

    private static void number(Number number, TextOutput output) {
        if (number instanceof Double || number instanceof Float) {
            if (!Double.isFinite(number.doubleValue())) {
                throw new NotInJsonException(number.toString());
            }
            output.text(number.toString());
        } else if (number instanceof Long || number instanceof Integer) {
            output.number(number.longValue());
        } else {
            output.text(number.toString());
        }
    }

    private void map(Map<?, ?> map, TextOutput output) throws Exception {
        char separator = '{';
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (entry.getKey() == null) {
                throw new NotInJsonException("field without a name, and a key of the map is null");
            }
            output.ascii(separator);
            text(String.valueOf(entry.getKey()), output);
            value(entry.getValue(), output.ascii(':'));
            separator = ',';
        }
        output.text(separator == '{' ? "{}" : "}");
    }

    private void array(Object array, TextOutput output) throws Exception {
        output.ascii('[');
        for (int i = 0; i < Array.getLength(array); i++) {
            if (i > 0) {
                output.ascii(',');
            }
            value(Array.get(array, i), output);
        }
        output.ascii(']');
    }

    private static void text(String text, TextOutput output) {
        output.ascii('"').text(escaped(text)).ascii('"');
    }

    private static String escaped(String text) {
        int unpaired = TextOutput.firstUnpaired(text, 0);
        int at = 0;
        while (at < text.length() && at != unpaired && !mustBeEscaped(text.charAt(at))) {
            at++;
        }
        if (at == text.length()) {
            return text;
        }
        StringBuilder escaped = new StringBuilder(text.length() + 16).append(text, 0, at);
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            if (at == unpaired) {
                escaped.append(String.format("\\u%04x", (int) c));
                unpaired = TextOutput.firstUnpaired(text, at + 1);
            } else if (mustBeEscaped(c)) {
                escape(c, escaped);
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }

    private static boolean mustBeEscaped(char c) {
        return c < ' ' || c == '"' || c == '\\';
    }

    private static void escape(char c, StringBuilder into) {
        switch (c) {
            case '"', '\\' -> into.append('\\').append(c);
            case '\n' -> into.append("\\n");
            case '\r' -> into.append("\\r");
            case '\t' -> into.append("\\t");
            default -> into.append(String.format("\\u%04x", (int) c));
        }
    }

    /** A class of records, and what stands before the value of each field: <code>{"name":</code>. */
    private record Fields(RecordShape<?> shape, byte[][] prefixes) {
        static Fields of(Class<?> type) {
            RecordShape<?> shape = RecordShape.of(type);
            byte[][] prefixes = new byte[shape.size()][];
            for (int i = 0; i < prefixes.length; i++) {
                String prefix = (i == 0 ? "{\"" : ",\"") + escaped(shape.names().get(i)) + "\":";
                prefixes[i] = prefix.getBytes(StandardCharsets.UTF_8);
            }
            return new Fields(shape, prefixes);
        }
    }

    /** Its message is what there is none of. */
    private static final class NotInJsonException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotInJsonException(String what) {
            super(what, null, false, false);
        }
    }
}
