// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records as JSON: an object for each record, with its components under their own names. Numbers, texts, booleans,
 * enums, records and lists of these.
 */
public final class RecordJson {
    private RecordJson() {}

    /** Several lines for people, the last of which ends in a line break. */
    public static String text(Record record) {
        return write(record, true) + '\n';
    }

    /** One line, without a line break. */
    public static String line(Record record) {
        return write(record, false);
    }

    private static String write(Record record, boolean pretty) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            if (pretty) {
                json.setPrettyPrinter(new DefaultPrettyPrinter());
            }
            write(record, json);
        } catch (IOException | ReflectiveOperationException e) {
            throw new IllegalStateException("cannot write " + record, e);
        }
        return text.toString();
    }

    private static void write(@Nullable Object value, JsonGenerator json)
            throws IOException, ReflectiveOperationException {
        if (value == null) {
            json.writeNull();
        } else if (value instanceof Record record) {
            json.writeStartObject();
            for (RecordComponent component : record.getClass().getRecordComponents()) {
                json.writeFieldName(name(component));
                Method accessor = component.getAccessor();
                accessor.setAccessible(true); // of records that are not public too
                write(accessor.invoke(record), json);
            }
            json.writeEndObject();
        } else if (value instanceof List<?> list) {
            json.writeStartArray();
            for (Object element : list) {
                write(element, json);
            }
            json.writeEndArray();
        } else if (value instanceof Enum<?> constant) {
            json.writeString(constant.name());
        } else if (value instanceof Boolean truth) {
            json.writeBoolean(truth);
        } else if (value instanceof Double number) {
            json.writeNumber(number);
        } else if (value instanceof Number number) {
            json.writeNumber(number.longValue());
        } else {
            json.writeString(value.toString());
        }
    }

    /**
     * Reads a record that {@link #text} or {@link #line} has written. Fields may be in any order; one that is missing is null.
     *
     * @throws IOException if the text is no such record; the message says where, in one line
     */
    public static <T extends Record> T read(byte[] text, Class<T> type) throws IOException {
        try (JsonParser json = new JsonFactory().createParser(text)) {
            json.nextToken();
            T record = type.cast(read(json, type, ""));
            if (json.nextToken() != null) {
                throw wrong(json, "something follows the object");
            }
            return record;
        } catch (JsonProcessingException e) {
            var at = e.getLocation();
            throw new IOException(
                    (at == null ? "" : "line " + at.getLineNr() + ", column " + at.getColumnNr() + ": ")
                            + e.getOriginalMessage().lines().findFirst().orElse("not JSON"),
                    e);
        }
    }

    private static Object read(JsonParser json, Type type, String path) throws IOException {
        JsonToken token = json.currentToken();
        if (type instanceof ParameterizedType list) {
            return list(json, list.getActualTypeArguments()[0], path);
        }
        Class<?> raw = (Class<?>) type;
        if (raw.isRecord()) {
            return record(json, raw, path);
        }
        if (raw == String.class && token == JsonToken.VALUE_STRING) {
            return json.getText();
        }
        if (raw.isEnum() && token == JsonToken.VALUE_STRING) {
            return constant(json, raw, path);
        }
        if ((raw == boolean.class || raw == Boolean.class) && token != null && token.isBoolean()) {
            return json.getBooleanValue();
        }
        if (token == JsonToken.VALUE_NUMBER_INT && (raw == long.class || raw == Long.class)) {
            return json.getLongValue();
        }
        if (token == JsonToken.VALUE_NUMBER_INT && raw == int.class) {
            return json.getIntValue();
        }
        if (token != null && token.isNumeric() && (raw == double.class || raw == Double.class)) {
            return json.getDoubleValue();
        }
        throw wrong(json, "field '" + path + "' is no " + raw.getSimpleName());
    }

    private static List<Object> list(JsonParser json, Type element, String path) throws IOException {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            throw wrong(json, "field '" + path + "' is no array");
        }
        List<Object> elements = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            elements.add(read(json, element, path + "[" + elements.size() + "]"));
        }
        return elements;
    }

    private static Object constant(JsonParser json, Class<?> type, String path) throws IOException {
        for (Object constant : type.getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(json.getText())) {
                return constant;
            }
        }
        throw wrong(json, "field '" + path + "' is none of " + Arrays.toString(type.getEnumConstants()));
    }

    private static Object record(JsonParser json, Class<?> type, String path) throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw wrong(json, (path.isEmpty() ? "it" : "field '" + path + "'") + " is no object");
        }
        RecordComponent[] components = type.getRecordComponents();
        @Nullable Object[] values = new @Nullable Object[components.length];
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            int place = 0;
            while (place < components.length && !name(components[place]).equals(name)) {
                place++;
            }
            if (place == components.length) {
                throw wrong(json, "field '" + under(path, name) + "' is unknown");
            }
            if (json.nextToken() != JsonToken.VALUE_NULL) {
                values[place] = read(json, components[place].getGenericType(), under(path, name));
            }
        }
        return made(json, type, components, values, path);
    }

    private static Object made(
            JsonParser json, Class<?> type, RecordComponent[] components, @Nullable Object[] values, String path)
            throws IOException {
        for (int i = 0; i < values.length; i++) {
            if (values[i] == null && components[i].getType() == boolean.class) {
                values[i] = false; // as of files that are older than the field
            }
            if (values[i] == null && !components[i].getAnnotatedType().isAnnotationPresent(Nullable.class)) {
                throw wrong(json, "field '" + under(path, name(components[i])) + "' is missing");
            }
        }
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            constructor.setAccessible(true); // of records that are not public too
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            throw wrong(json, "'" + path + "': " + (cause == null ? e : cause.getMessage()));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make a " + type, e);
        }
    }

    private static String name(RecordComponent component) {
        JsonName other = component.getAnnotation(JsonName.class);
        return other == null ? component.getName() : other.value();
    }

    private static String under(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private static IOException wrong(JsonParser json, String what) {
        var at = json.currentTokenLocation();
        return new IOException("line " + at.getLineNr() + ", column " + at.getColumnNr() + ": " + what);
    }
}
