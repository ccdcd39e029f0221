// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A comparator that can be serialized, and so sent to a cluster. A lambda can be one; what {@code Comparator.comparing}
 * returns cannot, because Java does not serialize the function in it. Write instead:
 *
 * <pre>{@code OrderFunction.by(Reading::celsius).thenBy(Reading::sensor).reversed()}</pre>
 *
 * @param <T> records
 */
@FunctionalInterface
public interface OrderFunction<T> extends Comparator<T>, Serializable {
    /** Orders by a value read from the record; null is less than any value. */
    static <T, V extends Comparable<?>> OrderFunction<T> by(NullableFunction<? super T, V> value) {
        return (a, b) -> {
            try {
                return compareNullable(value.apply(a), value.apply(b));
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };
    }

    /** Orders records that this order finds equal by another value; null is less than any value. */
    default <V extends Comparable<?>> OrderFunction<T> thenBy(NullableFunction<? super T, V> value) {
        OrderFunction<T> next = by(value);
        return (a, b) -> {
            int order = compare(a, b);
            return order != 0 ? order : next.compare(a, b);
        };
    }

    @Override
    default OrderFunction<T> reversed() {
        return (a, b) -> compare(b, a);
    }

    @SuppressWarnings("unchecked") // values of one function are comparable with each other
    private static int compareNullable(@Nullable Comparable<?> a, @Nullable Comparable<?> b) {
        if (a == null || b == null) {
            return Boolean.compare(a != null, b != null);
        }
        return ((Comparable<Object>) a).compareTo(b);
    }
}
