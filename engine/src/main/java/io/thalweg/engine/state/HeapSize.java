// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the bytes of heap that objects take, on a 64-bit HotSpot JVM: an object has a header of 12 bytes (16 with references of
 * 8 bytes) and its size is a multiple of 8, as JOL prints it. Objects that are shared count each time they are met.
 */
final class HeapSize {
    /** References are compressed below this size of the heap (-XX:+UseCompressedOops). */
    private static final long COMPRESSED_BELOW = 32L << 30;

    /** Bytes of a reference. */
    static final int REFERENCE = Runtime.getRuntime().maxMemory() < COMPRESSED_BELOW ? 4 : 8;

    private static final int HEADER = 8 + REFERENCE;
    private static final int ARRAY_HEADER = HEADER + 4;
    private static final int DEEPEST = 6;
    private static final int MOST_ELEMENTS = 16;

    /** Of a hash table, for each entry: its node, and the slot that refers to it. */
    static final int ENTRY = 32 + 2 * REFERENCE;

    private static final ClassValue<Field[]> REFERENCES = new ClassValue<>() {
        @Override
        protected Field[] computeValue(Class<?> type) {
            return references(type);
        }
    };

    private static final ClassValue<Integer> SHALLOW = new ClassValue<>() {
        @Override
        protected Integer computeValue(Class<?> type) {
            return shallow(type);
        }
    };

    private HeapSize() {}

    /** Of an object and all it refers to; of the elements of a large collection, a few are looked at. */
    static long of(@Nullable Object object) {
        return of(object, DEEPEST);
    }

    private static long of(@Nullable Object object, int deep) {
        if (object == null || object instanceof Enum<?> || object instanceof Class<?>) {
            return 0;
        }
        Class<?> type = object.getClass();
        if (object instanceof String text) {
            return SHALLOW.get(type) + aligned(ARRAY_HEADER + text.length());
        }
        if (type.isArray()) {
            return ofArray(object, type.getComponentType(), deep);
        }
        if (deep == 0) {
            return SHALLOW.get(type);
        }
        if (object instanceof Collection<?> collection) {
            return SHALLOW.get(type) + ofElements(collection, collection.size(), REFERENCE, deep);
        }
        if (object instanceof Map<?, ?> map) {
            return SHALLOW.get(type) + ofElements(map.entrySet(), map.size(), ENTRY, deep);
        }
        long bytes = SHALLOW.get(type);
        for (Field field : REFERENCES.get(type)) {
            bytes += of(value(field, object), deep - 1);
        }
        return bytes;
    }

    private static long ofArray(Object array, Class<?> component, int deep) {
        int length = Array.getLength(array);
        long bytes = aligned(ARRAY_HEADER + (long) length * width(component));
        if (component.isPrimitive() || deep == 0) {
            return bytes;
        }
        int looked = Math.min(length, MOST_ELEMENTS);
        long ofLooked = 0;
        for (int i = 0; i < looked; i++) {
            ofLooked += of(Array.get(array, (int) ((long) i * length / looked)), deep - 1);
        }
        return looked == 0 ? bytes : bytes + ofLooked * length / looked;
    }

    private static long ofElements(Iterable<?> elements, long size, int each, int deep) {
        int looked = 0;
        long ofLooked = 0;
        for (Object element : elements) {
            if (looked == MOST_ELEMENTS) {
                break;
            }
            looked++;
            ofLooked += element instanceof Map.Entry<?, ?> entry
                    ? of(entry.getKey(), deep - 1) + of(entry.getValue(), deep - 1)
                    : of(element, deep - 1);
        }
        return looked == 0 ? 0 : size * each + ofLooked * size / looked;
    }

    private static @Nullable Object value(Field field, Object object) {
        try {
            return field.get(object);
        } catch (IllegalAccessException e) {
            return null; // it was made accessible
        }
    }

    /** Fields whose objects can be looked at; those of the JDK are hidden. */
    private static Field[] references(Class<?> type) {
        java.util.List<Field> fields = new java.util.ArrayList<>();
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())
                        && !field.getType().isPrimitive()
                        && field.trySetAccessible()) {
                    fields.add(field);
                }
            }
        }
        return fields.toArray(Field[]::new);
    }

    private static int shallow(Class<?> type) {
        long bytes = HEADER;
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                bytes += Modifier.isStatic(field.getModifiers()) ? 0 : width(field.getType());
            }
        }
        return (int) aligned(bytes);
    }

    private static int width(Class<?> type) {
        if (type == long.class || type == double.class) {
            return 8;
        }
        if (type == int.class || type == float.class) {
            return 4;
        }
        if (type == short.class || type == char.class) {
            return 2;
        }
        return type.isPrimitive() ? 1 : REFERENCE;
    }

    private static long aligned(long bytes) {
        return (bytes + 7) & ~7L;
    }
}
