// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;
import java.util.Comparator;

/** A comparator that can be sent to a cluster. */
@FunctionalInterface
public interface OrderFunction<T> extends Comparator<T>, Serializable {
    /** Orders by a value read from the record. */
    static <T, V extends Comparable<? super V>> OrderFunction<T> by(MapFunction<T, V> value) {
        return (a, b) -> {
            try {
                return value.apply(a).compareTo(value.apply(b));
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };
    }
}
