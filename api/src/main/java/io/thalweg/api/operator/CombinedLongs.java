// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import io.thalweg.api.codec.Type;
import java.lang.invoke.MethodHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several aggregates evaluated together whose accumulators are a single {@code long} each, so that their common
 * accumulator, in memory and in checkpoints, is a {@code long[]}. Made by {@link Aggregates#into(Class, Aggregate...)};
 * for runners.
 *
 * @param <T> records in
 * @param <R> the record of their results
 */
public final class CombinedLongs<T, R extends Record> implements SeveralAggregates<T, long[], R> {
    private static final long serialVersionUID = 1L;

    private final RecordMaker<R> maker;

    @SuppressWarnings("serial") // List.copyOf is serializable, as are folds
    private final List<LongFold<T>> parts;

    CombinedLongs(RecordMaker<R> maker, List<LongFold<T>> parts) {
        this.maker = maker;
        this.parts = parts;
    }

    @Override
    public List<LongFold<T>> parts() {
        return parts;
    }

    @Override
    public @Nullable String warning() {
        return maker.warning();
    }

    @Override
    public R record(@Nullable Object[] results) throws Exception {
        return maker.make(results);
    }

    @Override
    public MethodHandle constructor() throws ReflectiveOperationException {
        return maker.constructor();
    }

    @Override
    public long[] create() {
        return new long[parts.size()];
    }

    @Override
    public void add(long[] accumulator, T value) throws Exception {
        for (int i = 0; i < accumulator.length; i++) {
            accumulator[i] = parts.get(i).fold(accumulator[i], value);
        }
    }

    @Override
    public void merge(long[] accumulator, long[] other) {
        for (int i = 0; i < accumulator.length; i++) {
            accumulator[i] = parts.get(i).join(accumulator[i], other[i]);
        }
    }

    @Override
    public R result(long[] accumulator) throws Exception {
        Object[] values = new Object[accumulator.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = accumulator[i];
        }
        return maker.make(values);
    }

    @Override
    public Type<long[]> accumulatorType() {
        return Type.of(long[].class);
    }

    @Override
    public Type<R> resultType() {
        return maker.type();
    }

    @Override
    public String describe() {
        return maker.describe(parts);
    }
}
