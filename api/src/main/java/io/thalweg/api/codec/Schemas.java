// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.codec;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Finds the schema of a type, along the same ways as {@link Codecs} its codec. */
final class Schemas {
    /** Types within types. */
    static final int MOST_DEPTH = 200;

    /** Records and sealed types around the current one. */
    private final List<Type<?>> around = new ArrayList<>();

    private final boolean constants;

    private Schemas(boolean constants) {
        this.constants = constants;
    }

    static Schema of(Type<?> type, boolean constants) {
        type.codec();
        return new Schemas(constants).of(type);
    }

    private Schema of(Type<?> type) {
        Class<?> raw = type.raw();
        if (type.custom() instanceof CompositeCodec<?> composite) {
            return container(composite.getClass().getSimpleName(), composite.parts());
        }
        if (type.custom() != null) {
            return new Schema.Plain(
                    raw.getSimpleName() + " by " + type.custom().getClass().getSimpleName());
        }
        if (StandardCodecs.BY_CLASS.containsKey(raw)) {
            return new Schema.Plain(raw.getSimpleName());
        }
        int level = around.indexOf(type);
        if (level >= 0) {
            return new Schema.Again(raw.getSimpleName(), level);
        }
        if (raw.isEnum()) {
            return new Schema.Constants(raw.getSimpleName(), constants ? constants(raw) : List.of());
        }
        if (raw.isArray()) {
            return container("array", List.of(Type.of(raw.componentType())));
        }
        if (raw.isRecord() || raw.isSealed() || !raw.getName().startsWith("java.")) {
            around.add(type);
            Schema schema = structured(type, raw);
            around.remove(around.size() - 1);
            return schema;
        }
        return container(containerName(raw), type.arguments());
    }

    private Schema structured(Type<?> type, Class<?> raw) {
        List<Schema.Field> parts = new ArrayList<>();
        if (raw.isRecord()) {
            for (RecordComponent component : raw.getRecordComponents()) {
                Type<?> of = Type.resolve(component.getGenericType(), type.bindings());
                parts.add(new Schema.Field(component.getName(), of(of)));
            }
            return new Schema.Fields(raw.getSimpleName(), List.copyOf(parts));
        }
        if (raw.isSealed()) {
            for (Class<?> permitted : raw.getPermittedSubclasses()) {
                parts.add(new Schema.Field(permitted.getSimpleName(), of(Type.of(permitted))));
            }
            return new Schema.Cases(raw.getSimpleName(), List.copyOf(parts));
        }
        if (type.codec() instanceof FieldsCodec fields) {
            fields.fields().forEach((name, of) -> parts.add(new Schema.Field(name, of(of))));
        }
        return new Schema.Fields(raw.getSimpleName(), List.copyOf(parts));
    }

    private Schema container(String name, List<Type<?>> of) {
        return new Schema.Container(name, of.stream().map(this::of).toList());
    }

    /** Lists and other collections that are written in the same way. */
    static String containerName(Class<?> raw) {
        return raw == java.util.Set.class || raw == java.util.Map.class || raw == java.util.Optional.class
                ? raw.getSimpleName()
                : "List";
    }

    private static List<String> constants(Class<?> raw) {
        return Arrays.stream(raw.getEnumConstants())
                .map(constant -> ((Enum<?>) constant).name())
                .toList();
    }
}
