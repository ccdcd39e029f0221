// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A hash of a record's components, as one method handle. Components are hashed by their own hashCode, those that are records by their
 * components too, and combined so that each bit counts.
 */
final class ComponentHash {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    /** Of odd digits, so that a multiplication loses nothing: 2^64 divided by the golden ratio. */
    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;

    /** How deep records may be within each other: such a class may hold itself. */
    private static final int MAX_DEPTH = 4;

    /**
     * What javac makes of a record that declares no equals of its own: a method of eight bytes, which hands both objects to an
     * instruction that {@link java.lang.runtime.ObjectMethods} implements. -1 is any byte.
     */
    private static final int[] GENERATED_EQUALS = {0, 0, 0, 8, 0x2a, 0x2b, 0xba, -1, -1, 0, 0, 0xac};

    /** The same for hashCode. */
    private static final int[] GENERATED_HASH_CODE = {0, 0, 0, 7, 0x2a, 0xba, -1, -1, 0, 0, 0xac};

    private ComponentHash() {}

    /**
     * From an Object to an int. Null if the class is no record, or declares equals, which may take records of other components for equal,
     * or hashCode, which may know better what tells records apart.
     */
    static @Nullable MethodHandle of(Class<?> type) {
        if (!type.isRecord() || !goesByComponents(type)) {
            return null;
        }
        try {
            MethodHandle hash = MethodHandles.filterReturnValue(hash(type, 1), find("fold", int.class, long.class));
            return hash.asType(MethodType.methodType(int.class, Object.class));
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null; // its fields are not open to us: hashCode will do
        }
    }

    private static boolean goesByComponents(Class<?> type) {
        String file = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
        try (InputStream in = type.getResourceAsStream(file)) {
            if (in == null) {
                return false;
            }
            byte[] bytes = in.readAllBytes();
            return contains(bytes, GENERATED_EQUALS) && contains(bytes, GENERATED_HASH_CODE);
        } catch (IOException e) {
            return false;
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

    /** From the record to a long. */
    private static MethodHandle hash(Class<?> record, int depth) throws ReflectiveOperationException {
        RecordComponent[] components = record.getRecordComponents();
        MethodHandle[] hashes = new MethodHandle[components.length];
        for (int i = 0; i < components.length; i++) {
            Field field = record.getDeclaredField(components[i].getName());
            field.setAccessible(true);
            hashes[i] = MethodHandles.filterReturnValue(LOOKUP.unreflectGetter(field), ofValue(field.getType(), depth));
        }
        return hashes.length == 0
                ? MethodHandles.dropArguments(MethodHandles.constant(long.class, 1L), 0, record)
                : combined(List.of(hashes));
    }

    /** A balanced tree, for the JIT inlines only so deep. */
    private static MethodHandle combined(List<MethodHandle> hashes) throws ReflectiveOperationException {
        if (hashes.size() == 1) {
            return hashes.get(0);
        }
        int middle = hashes.size() / 2;
        MethodHandle first = combined(hashes.subList(0, middle));
        MethodHandle second = combined(hashes.subList(middle, hashes.size()));
        MethodHandle both =
                MethodHandles.filterArguments(find("combine", long.class, long.class, long.class), 0, first, second);
        return MethodHandles.permuteArguments(both, first.type(), 0, 0);
    }

    /** From a component to a long. */
    private static MethodHandle ofValue(Class<?> type, int depth) throws ReflectiveOperationException {
        if (type == long.class) {
            return MethodHandles.identity(long.class);
        }
        if (type.isRecord() && depth < MAX_DEPTH && goesByComponents(type)) {
            MethodHandle isNull =
                    LOOKUP.findStatic(Objects.class, "isNull", MethodType.methodType(boolean.class, Object.class));
            return MethodHandles.guardWithTest(
                    isNull.asType(MethodType.methodType(boolean.class, type)),
                    MethodHandles.dropArguments(MethodHandles.constant(long.class, 0L), 0, type),
                    hash(type, depth + 1));
        }
        MethodHandle hashCode = type.isPrimitive()
                ? LOOKUP.findStatic(
                        MethodType.methodType(type).wrap().returnType(),
                        "hashCode",
                        MethodType.methodType(int.class, type))
                : LOOKUP.findStatic(Objects.class, "hashCode", MethodType.methodType(int.class, Object.class))
                        .asType(MethodType.methodType(int.class, type));
        return hashCode.asType(MethodType.methodType(long.class, type));
    }

    private static MethodHandle find(String name, Class<?> result, Class<?>... parameters)
            throws ReflectiveOperationException {
        return LOOKUP.findStatic(ComponentHash.class, name, MethodType.methodType(result, parameters));
    }

    @SuppressWarnings("unused") // by a handle
    private static long combine(long first, long second) {
        long mixed = (first ^ first >>> 32) * GOLDEN + second;
        return mixed ^ mixed >>> 29;
    }

    @SuppressWarnings("unused") // by a handle
    private static int fold(long hash) {
        long mixed = (hash ^ hash >>> 32) * GOLDEN;
        return (int) (mixed >>> 32);
    }
}
