// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Makes a result of two records that were joined. Returning null drops the pair. In an outer join a record without a partner
 * comes with null in the place of the partner: of a left join, {@code right} may be null; of a full join either, never both.
 * The records are those that the join keeps for further partners, so they must not be changed.
 *
 * @param <A> records of the left stream
 * @param <B> records of the right stream
 * @param <R> results
 */
@FunctionalInterface
public interface PairFunction<A extends @Nullable Object, B extends @Nullable Object, R> extends Serializable {
    @Nullable R apply(A left, B right) throws Exception;
}
