// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import io.thalweg.api.codec.Signatures;
import java.util.Comparator;

/** Comparators of any origin as orders that can be serialized. */
final class Orders {
    private Orders() {}

    /** @throws IllegalArgumentException if it cannot be serialized */
    static <T> OrderFunction<T> serializable(Comparator<T> comparator) {
        if (comparator instanceof OrderFunction<T> order) {
            return order;
        }
        if (!Signatures.isSerializable(comparator)) {
            throw new IllegalArgumentException(
                    "this comparator cannot be serialized: Java does not serialize the functions that a Comparator holds;"
                            + " name the value itself, as in top(3, Reading.class, Reading::celsius), or use"
                            + " OrderFunction.by(…).thenBy(…).reversed()");
        }
        return new Given<>(comparator);
    }

    @SuppressWarnings("serial") // it was tried
    private record Given<T>(Comparator<T> comparator) implements OrderFunction<T> {
        @Override
        public int compare(T a, T b) {
            return comparator.compare(a, b);
        }
    }
}
