// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.codec;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Whether equal values of a type are found again: as keys, and where different values are counted. */
public final class Equality {
    /**
     * What javac makes of a record that declares no equals of its own: a method of eight bytes, which hands both objects to an
     * instruction that {@link java.lang.runtime.ObjectMethods} implements. -1 is any byte.
     */
    private static final int[] GENERATED_EQUALS = {0, 0, 0, 8, 0x2a, 0x2b, 0xba, -1, -1, 0, 0, 0xac};

    /** The same for hashCode. */
    private static final int[] GENERATED_HASH_CODE = {0, 0, 0, 7, 0x2a, 0xba, -1, -1, 0, 0, 0xac};

    private static final Set<Class<?>> OF_ELEMENTS = Set.of(
            List.class, java.util.ArrayList.class, java.util.Set.class, java.util.Map.class, java.util.Optional.class);

    private Equality() {}

    /**
     * Checks that two values of a type with the same content are equal, also in the components of records and the elements of
     * collections.
     *
     * @throws CodecException if they are not, with the part of the type that is equal only to itself
     */
    public static void check(Type<?> type) {
        check(type, "", new HashSet<>());
    }

    private static void check(Type<?> type, String where, Set<Type<?>> seen) {
        Class<?> raw = type.raw();
        if (!seen.add(type)) {
            return;
        }
        if (raw.isArray()) {
            throw new CodecException(where + "an array is equal only to itself; use a record or a List");
        }
        if (type.custom() == null && OF_ELEMENTS.contains(raw)) {
            type.arguments().forEach(argument -> check(argument, where.isEmpty() ? "in " + type + ", " : where, seen));
        } else if (raw.isRecord() && contains(bytesOf(raw), GENERATED_EQUALS)) {
            for (RecordComponent component : raw.getRecordComponents()) {
                check(
                        Type.resolve(component.getGenericType(), type.bindings()),
                        raw.getSimpleName() + "." + component.getName() + ": ",
                        seen);
            }
        } else if (raw.isSealed()) {
            for (Class<?> permitted : raw.getPermittedSubclasses()) {
                check(Type.of(permitted), where, seen);
            }
        } else if (!Modifier.isAbstract(raw.getModifiers()) && !raw.isEnum() && !hasEquals(raw)) {
            throw new CodecException(where + raw.getSimpleName() + " has no equals of its own; use a record");
        }
    }

    private static boolean hasEquals(Class<?> raw) {
        try {
            return raw.getMethod("equals", Object.class).getDeclaringClass() != Object.class;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether a class is a record that is compared and hashed by its components, as it declares neither equals nor hashCode. */
    public static boolean isByComponents(Class<?> type) {
        byte[] bytes = type.isRecord() ? bytesOf(type) : new byte[0];
        return contains(bytes, GENERATED_EQUALS) && contains(bytes, GENERATED_HASH_CODE);
    }

    /** Its class file; empty if there is none to read. */
    private static byte[] bytesOf(Class<?> type) {
        String file = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
        try (InputStream in = type.getResourceAsStream(file)) {
            return in == null ? new byte[0] : in.readAllBytes();
        } catch (IOException e) {
            return new byte[0];
        }
    }

    private static boolean contains(byte[] bytes, int[] sought) {
        for (int from = 0; from <= bytes.length - sought.length; from++) {
            int same = 0;
            while (same < sought.length && (sought[same] < 0 || sought[same] == (bytes[from + same] & 0xff))) {
                same++;
            }
            if (same == sought.length) {
                return true;
            }
        }
        return false;
    }
}
