// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.CompositeCodec;
import io.thalweg.api.codec.Type;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several aggregates evaluated together. The accumulator is an array of theirs. Made by {@link Aggregates#into(Class,
 * Aggregate...)}; for runners.
 *
 * @param <T> records in
 * @param <R> the record of their results
 */
public final class Combined<T, R extends Record> implements SeveralAggregates<T, Object[], R> {
    private static final long serialVersionUID = 1L;

    private final RecordMaker<R> maker;

    @SuppressWarnings("serial") // List.copyOf is serializable, as are aggregates
    private final List<Aggregate<T, Object, ?>> parts;

    private Combined(RecordMaker<R> maker, List<Aggregate<T, Object, ?>> parts) {
        this.maker = maker;
        this.parts = parts;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // each part meets only accumulators that it made itself
    static <T, R extends Record> Aggregate<T, ?, R> into(RecordMaker<R> maker, List<Aggregate<T, ?, ?>> aggregates) {
        boolean longs = aggregates.stream().allMatch(LongFold.class::isInstance);
        return longs
                ? new CombinedLongs<>(maker, (List) List.copyOf(aggregates))
                : new Combined<>(maker, (List) List.copyOf(aggregates));
    }

    @Override
    public List<Aggregate<T, Object, ?>> parts() {
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
    public Object[] create() {
        Object[] accumulators = new Object[parts.size()];
        for (int i = 0; i < accumulators.length; i++) {
            accumulators[i] = parts.get(i).create();
        }
        return accumulators;
    }

    @Override
    public void add(Object[] accumulator, T value) throws Exception {
        for (int i = 0; i < accumulator.length; i++) {
            parts.get(i).add(accumulator[i], value);
        }
    }

    @Override
    public void merge(Object[] accumulator, Object[] other) throws Exception {
        for (int i = 0; i < accumulator.length; i++) {
            parts.get(i).merge(accumulator[i], other[i]);
        }
    }

    @Override
    public R result(Object[] accumulator) throws Exception {
        @Nullable Object[] values = new Object[accumulator.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = parts.get(i).result(accumulator[i]);
        }
        return maker.make(values);
    }

    @Override
    public Type<Object[]> accumulatorType() {
        return Type.custom(
                Object[].class,
                new PartsCodec(
                        parts.stream().<Type<?>>map(Aggregate::accumulatorType).toList()));
    }

    @Override
    public Type<R> resultType() {
        return maker.type();
    }

    @Override
    public boolean keepsRecords() {
        return parts.stream().anyMatch(Aggregate::keepsRecords);
    }

    @Override
    public String describe() {
        return maker.describe(parts);
    }

    /** The accumulators one after the other. */
    private record PartsCodec(List<Type<?>> types) implements CompositeCodec<Object[]>, Serializable {
        @Override
        public List<Type<?>> parts() {
            return types;
        }

        @Override
        public Object[] decode(ByteReader in, List<Codec<Object>> parts) {
            return parts.stream().map(part -> part.decode(in)).toArray();
        }

        @Override
        public void encode(Object[] value, ByteWriter out) {
            for (int i = 0; i < value.length; i++) {
                codec(i).encode(value[i], out);
            }
        }

        @Override
        public Object[] decode(ByteReader in) {
            Object[] value = new Object[types.size()];
            for (int i = 0; i < value.length; i++) {
                value[i] = codec(i).decode(in);
            }
            return value;
        }

        @SuppressWarnings("unchecked") // each part is of its own type
        private Codec<Object> codec(int part) {
            return (Codec<Object>) types.get(part).codec();
        }
    }
}
