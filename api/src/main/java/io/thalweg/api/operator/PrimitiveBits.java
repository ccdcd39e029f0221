// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/**
 * Values of the primitive types as longs in the order that their {@code compareTo} gives them: -0.0 before 0.0, NaN last. Every
 * NaN becomes the same.
 */
final class PrimitiveBits {
    private PrimitiveBits() {}

    static boolean holds(Class<?> type) {
        return type == Long.class
                || type == Double.class
                || type == Integer.class
                || type == Float.class
                || type == Short.class
                || type == Byte.class
                || type == Character.class
                || type == Boolean.class;
    }

    /** The JIT knows the class where the value is boxed: one of these branches is left, and no box. */
    static long of(Object value) {
        if (value instanceof Double number) {
            return inOrder(Double.doubleToLongBits(number));
        }
        if (value instanceof Long number) {
            return number;
        }
        if (value instanceof Integer number) {
            return number;
        }
        if (value instanceof Float number) {
            return inOrder(Double.doubleToLongBits(number));
        }
        if (value instanceof Character character) {
            return character;
        }
        if (value instanceof Boolean bool) {
            return bool ? 1 : 0;
        }
        return ((Number) value).longValue();
    }

    /** The value of a type again. */
    static Object value(long bits, Class<?> type) {
        if (type == Double.class) {
            return Double.longBitsToDouble(inOrder(bits));
        }
        if (type == Long.class) {
            return bits;
        }
        if (type == Integer.class) {
            return (int) bits;
        }
        if (type == Float.class) {
            return (float) Double.longBitsToDouble(inOrder(bits));
        }
        if (type == Short.class) {
            return (short) bits;
        }
        if (type == Byte.class) {
            return (byte) bits;
        }
        return type == Character.class ? (Object) (char) bits : (Object) (bits != 0);
    }

    /** Turns around those below 0, whose bits grow the other way; twice gives what was. */
    private static long inOrder(long bits) {
        return bits ^ ((bits >> 63) & Long.MAX_VALUE);
    }
}
