// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.codec.Equality;
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

    private ComponentHash() {}

    /**
     * From an Object to an int. Null if the class is no record, or declares equals, which may take records of other components for equal,
     * or hashCode, which may know better what tells records apart.
     */
    static @Nullable MethodHandle of(Class<?> type) {
        if (!Equality.isByComponents(type)) {
            return null;
        }
        try {
            MethodHandle hash = MethodHandles.filterReturnValue(hash(type, 1), find("fold", int.class, long.class));
            return hash.asType(MethodType.methodType(int.class, Object.class));
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null; // its fields are not open to us: hashCode will do
        }
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
        if (depth < MAX_DEPTH && Equality.isByComponents(type)) {
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
