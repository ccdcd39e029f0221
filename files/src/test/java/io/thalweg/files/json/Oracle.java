// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.thalweg.files.record.Name;
import java.io.IOException;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * What a text says, by the JDK's UTF-8 decoder and Jackson's parser, bound to a record by the rules of the guide as plainly
 * as can be. Values come back in a form that can be compared: records and arrays as lists.
 */
final class Oracle {
    private static final int MAX_DEPTH = 64;
    private static final JsonFactory JACKSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(1_000_000)
                    .maxNameLength(1_000_000)
                    .build())
            .build();

    private static final Map<Class<?>, Function<String, Object>> WHOLE = Map.of(
            Long.class, Long::valueOf,
            Integer.class, Integer::valueOf,
            Short.class, Short::valueOf,
            Byte.class, Byte::valueOf,
            BigInteger.class, BigInteger::new);
    private static final Map<Class<?>, Function<String, Object>> TEXT = Map.of(
            Instant.class, Instant::parse,
            LocalDate.class, LocalDate::parse,
            LocalTime.class, LocalTime::parse,
            LocalDateTime.class, LocalDateTime::parse,
            OffsetDateTime.class, OffsetDateTime::parse,
            String.class, text -> text);

    private Oracle() {}

    record Field(String name, Object value) {}

    record Number(String text, boolean whole) {}

    /** What a text says, or why it is refused. */
    record Answer(Object value, String refusal) {
        boolean good() {
            return refusal == null;
        }

        /** Lone surrogates: Jackson takes them in values and refuses them in names, we take them in both. */
        boolean deliberatelyDifferent() {
            return refusal != null && refusal.matches("(?s).*surrogate (pair )?in field name.*");
        }
    }

    static Answer read(Class<?> type, byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            try (JsonParser parser = JACKSON.createParser(text)) {
                Object tree = tree(parser, parser.nextToken());
                if (parser.nextToken() != null || !(tree instanceof Field[])) {
                    return new Answer(null, "not one object");
                }
                return new Answer(bind(type, type, tree), null);
            }
        } catch (IOException | RuntimeException e) {
            return new Answer(null, e.toString());
        }
    }

    /** A record as {@link #read} would give it. */
    static Object comparable(Object value) {
        try {
            if (value instanceof Record) {
                List<Object> parts = new ArrayList<>();
                for (RecordComponent component : value.getClass().getRecordComponents()) {
                    component.getAccessor().setAccessible(true);
                    parts.add(comparable(component.getAccessor().invoke(value)));
                }
                return parts;
            }
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
        if (value instanceof Iterable<?> values) {
            List<Object> parts = new ArrayList<>();
            values.forEach(part -> parts.add(comparable(part)));
            return parts;
        }
        if (value instanceof Map<?, ?> map) {
            Map<Object, Object> parts = new LinkedHashMap<>();
            map.forEach((key, part) -> parts.put(key, comparable(part)));
            return parts;
        }
        if (value instanceof Object[] array) {
            return comparable(Arrays.asList(array));
        }
        if (value instanceof long[] array) {
            return comparable(Arrays.stream(array).boxed().toList());
        }
        if (value instanceof double[] array) {
            return comparable(Arrays.stream(array).boxed().toList());
        }
        return value instanceof int[] array
                ? comparable(Arrays.stream(array).boxed().toList())
                : value;
    }

    private static Object tree(JsonParser parser, JsonToken token) throws IOException {
        if (token == null) {
            throw new IOException("nothing");
        }
        switch (token) {
            case START_OBJECT -> {
                List<Field> fields = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    fields.add(new Field(name, tree(parser, parser.nextToken())));
                }
                return fields.toArray(Field[]::new);
            }
            case START_ARRAY -> {
                List<Object> values = new ArrayList<>();
                JsonToken next;
                while ((next = parser.nextToken()) != JsonToken.END_ARRAY) {
                    values.add(tree(parser, next));
                }
                return values;
            }
            case VALUE_STRING -> {
                return parser.getText();
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                return new Number(parser.getText(), token == JsonToken.VALUE_NUMBER_INT);
            }
            case VALUE_TRUE, VALUE_FALSE -> {
                return token == JsonToken.VALUE_TRUE;
            }
            default -> {
                return null;
            }
        }
    }

    private static Object bind(Type type, Class<?> raw, Object tree) {
        if (tree == null) {
            if (raw.isPrimitive()) {
                throw new IllegalArgumentException("null for a primitive");
            }
            return null;
        }
        Class<?> boxed = java.lang.invoke.MethodType.methodType(raw).wrap().returnType();
        if (tree instanceof Number number) {
            return number(boxed, number);
        }
        if (tree instanceof Boolean) {
            return need(boxed == Boolean.class, tree);
        }
        if (tree instanceof String text) {
            return raw.isEnum() ? constant(raw, text) : TEXT.get(raw).apply(text);
        }
        if (tree instanceof Field[] fields) {
            return raw == Map.class ? map((ParameterizedType) type, fields) : record(raw, fields);
        }
        return list(type, raw, (List<?>) tree);
    }

    private static Object number(Class<?> boxed, Number number) {
        if (boxed == Double.class) {
            double value = Double.parseDouble(number.text);
            return need(Double.isFinite(value), value);
        }
        if (boxed == Float.class) {
            float value = Float.parseFloat(number.text);
            return need(Float.isFinite(value), value);
        }
        if (boxed == BigDecimal.class) {
            BigDecimal value = new BigDecimal(number.text);
            return need(Math.abs((long) value.scale()) <= 9_999 && number.text.length() <= 1_000, value);
        }
        return need(
                number.whole && number.text.length() <= 1_000, WHOLE.get(boxed).apply(number.text));
    }

    private static Object constant(Class<?> type, String name) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> ((Enum<?>) constant).name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Object list(Type type, Class<?> raw, List<?> tree) {
        Type element;
        if (type instanceof GenericArrayType array) {
            element = array.getGenericComponentType();
        } else if (type instanceof ParameterizedType generic) {
            need(raw != Map.class, tree);
            element = generic.getActualTypeArguments()[0];
        } else {
            need(raw.isArray(), tree);
            element = raw.componentType();
        }
        List<Object> values = new ArrayList<>();
        tree.forEach(part -> values.add(bind(element, raw(element), part)));
        return raw == java.util.Set.class ? new ArrayList<>(new LinkedHashSet<>(values)) : values;
    }

    private static Object map(ParameterizedType type, Field[] fields) {
        Type element = type.getActualTypeArguments()[1];
        Map<String, Object> values = new LinkedHashMap<>();
        for (Field field : fields) {
            values.put(field.name, bind(element, raw(element), field.value));
        }
        return values;
    }

    private static Object record(Class<?> type, Field[] fields) {
        need(type.isRecord(), fields);
        Map<String, RecordComponent> components = new HashMap<>();
        Map<String, Object> values = new LinkedHashMap<>();
        BiFunction<RecordComponent, Name, String> name =
                (component, given) -> given == null ? component.getName() : given.value();
        for (RecordComponent component : type.getRecordComponents()) {
            String own = name.apply(component, component.getAnnotation(Name.class));
            components.put(own, component);
            values.put(own, null);
        }
        for (Field field : fields) {
            RecordComponent component = components.get(field.name);
            if (component != null) {
                values.put(field.name, bind(component.getGenericType(), component.getType(), field.value));
            }
        }
        values.forEach((own, value) ->
                need(value != null || !components.get(own).getType().isPrimitive(), type));
        return new ArrayList<>(values.values());
    }

    private static Class<?> raw(Type type) {
        if (type instanceof Class<?> raw) {
            return raw;
        }
        return type instanceof ParameterizedType generic ? (Class<?>) generic.getRawType() : Object[].class;
    }

    private static Object need(boolean condition, Object value) {
        if (!condition) {
            throw new IllegalArgumentException();
        }
        return value;
    }
}
