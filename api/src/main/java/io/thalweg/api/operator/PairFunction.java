// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Combines two joined records into a result. In an outer join, a record without a partner comes with null in place of
 * the partner: in a left join {@code right} may be null; in a full join either, but never both. The join keeps the
 * records for further partners, so they must not be changed.
 *
 * @param <A> records of the left stream
 * @param <B> records of the right stream
 * @param <R> results
 */
@FunctionalInterface
public interface PairFunction<A extends @Nullable Object, B extends @Nullable Object, R> extends Serializable {
    /**
     * The result of a pair.
     *
     * @return null to drop the pair
     */
    @Nullable R apply(A left, B right) throws Exception;
}
