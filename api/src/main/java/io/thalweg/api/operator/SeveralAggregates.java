// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Several aggregates side by side, whose results make one record: what {@link Aggregates#into} gives. */
public sealed interface SeveralAggregates<T, A, R extends Record> extends Aggregate<T, A, R>
        permits Combined, CombinedLongs {
    /** The aggregates, in the order of the components they fill. */
    List<? extends Aggregate<T, ?, ?>> parts();

    /** The record of their results. */
    R record(@Nullable Object[] results) throws Exception;

    /** What to tell the user of how the components were given; null if there is nothing to tell. */
    @Nullable String warning();
}
