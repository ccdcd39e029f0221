// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.NullableFunction;
import java.util.Optional;

/** The key of a record that may have none; such records meet in one task. */
record OptionalKey<T, K>(NullableFunction<? super T, ? extends K> function) implements MapFunction<T, Optional<K>> {
    @Override
    public Optional<K> apply(T record) throws Exception {
        return Optional.ofNullable(function.apply(record));
    }
}
