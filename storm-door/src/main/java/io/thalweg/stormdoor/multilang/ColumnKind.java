// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.multilang;

import io.thalweg.python.Packing;
import java.math.BigInteger;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the values of a column are. There are as many kinds as JSON and MessagePack have, so that a batch is the same by all of them. */
enum ColumnKind {
    NOTHING("null", Void.class),
    TRUTH("bool", Boolean.class),
    WHOLE("int64", Long.class),
    /** Whole numbers, one of which a double cannot hold. */
    LARGE("int64", Long.class),
    REAL("double", Double.class),
    TEXT("string", String.class),
    BYTES("binary", byte[].class);

    private static final long MOST_EXACT = 1L << 53;

    /** What Arrow calls it. */
    final String arrow;

    /** Of its values. */
    final Class<?> type;

    ColumnKind(String arrow, Class<?> type) {
        this.arrow = arrow;
        this.type = type;
    }

    static @Nullable ColumnKind named(Object arrow) {
        for (ColumnKind kind : values()) {
            if (kind.arrow.equals(arrow)) {
                return kind;
            }
        }
        return null;
    }

    /** Of a value that {@link #cell} has returned. */
    static ColumnKind of(@Nullable Object cell) {
        if (cell == null) {
            return NOTHING;
        }
        if (cell instanceof Long whole) {
            return whole >= -MOST_EXACT && whole <= MOST_EXACT ? WHOLE : LARGE;
        }
        return cell instanceof Boolean ? TRUTH : cell instanceof Double ? REAL : cell instanceof String ? TEXT : BYTES;
    }

    /** The kind of a column that has values of both; null if there is none. */
    static @Nullable ColumnKind both(ColumnKind one, ColumnKind other) {
        if (one == other || other == NOTHING) {
            return one;
        }
        if (one == NOTHING) {
            return other;
        }
        if (one.type == other.type) {
            return LARGE;
        }
        return (one == REAL && other == WHOLE) || (one == WHOLE && other == REAL) ? REAL : null;
    }

    /**
     * What stands for a value in a column.
     *
     * @throws IllegalArgumentException if it cannot be in one
     */
    static @Nullable Object cell(@Nullable Object value) {
        if (value == null || value instanceof String || value instanceof Boolean || value instanceof byte[]) {
            return value;
        }
        if (value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        if (value instanceof Double || value instanceof Float) {
            return ((Number) value).doubleValue();
        }
        if (value instanceof Optional<?> optional) {
            return cell(optional.orElse(null));
        }
        if (value instanceof BigInteger whole && whole.bitLength() < Long.SIZE) {
            return whole.longValue();
        }
        String text = Packing.asText(value);
        if (text == null) {
            throw new IllegalArgumentException("a " + value.getClass().getName() + " cannot be in a column");
        }
        return text;
    }
}
