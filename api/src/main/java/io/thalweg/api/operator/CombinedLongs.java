// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import io.thalweg.api.codec.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Several aggregates side by side whose accumulators are longs: they stand in one array, which is all a key needs. */
public final class CombinedLongs<T, R extends Record> implements Aggregate<T, long[], R> {
    private static final long serialVersionUID = 1L;

    private final RecordMaker<R> maker;

    @SuppressWarnings("serial") // List.copyOf is serializable, as are folds
    private final List<LongFold<T>> parts;

    CombinedLongs(RecordMaker<R> maker, List<LongFold<T>> parts) {
        this.maker = maker;
        this.parts = parts;
    }

    /** The folds, in the order of the components they fill. */
    public List<LongFold<T>> parts() {
        return parts;
    }

    /** What to tell the user of how the components were given; null if there is nothing to tell. */
    public @Nullable String warning() {
        return maker.warning();
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
        merge(accumulator, 0, other, 0);
    }

    /** Merges accumulators that stand in larger arrays, from these indexes on. */
    public void merge(long[] accumulators, int at, long[] others, int atOther) {
        for (int i = 0; i < parts.size(); i++) {
            accumulators[at + i] = parts.get(i).join(accumulators[at + i], others[atOther + i]);
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
