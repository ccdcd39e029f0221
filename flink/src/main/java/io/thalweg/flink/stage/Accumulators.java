// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.CombinedLongs;
import io.thalweg.api.operator.FlatAggregate;
import io.thalweg.api.operator.SeveralAggregates;
import io.thalweg.flink.record.CodecSerializer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Accumulators as they stand in Flink's state: those of aggregates that are all {@link FlatAggregate} in one array of longs, so that a
 * record finds all of them at once; others, and those that Flink has restored and that have had no record since, as the aggregate's
 * own. Checkpoints hold the aggregate's own.
 */
final class Accumulators implements CodecSerializer.Form<Object> {
    private static final long serialVersionUID = 1L;

    private record Flat(long[] longs) {}

    private final Aggregate<Object, Object, Object> aggregate;

    /** Empty if they do not lie flat. */
    @SuppressWarnings("serial") // List.copyOf is serializable, as are aggregates
    private final List<FlatAggregate<Object, Object, Object>> parts;

    private final int longs;

    Accumulators(Aggregate<Object, Object, Object> aggregate) {
        this.aggregate = aggregate;
        parts = parts(aggregate);
        longs = parts.stream().mapToInt(FlatAggregate::longs).sum();
    }

    @SuppressWarnings("unchecked") // a part takes the records of the aggregate and meets accumulators of its own
    private static List<FlatAggregate<Object, Object, Object>> parts(Object aggregate) {
        if (aggregate instanceof CombinedLongs<?, ?>) {
            return List.of(); // they are an array
        }
        List<?> all = aggregate instanceof SeveralAggregates<?, ?, ?> several ? several.parts() : List.of(aggregate);
        return all.stream().allMatch(FlatAggregate.class::isInstance)
                ? (List<FlatAggregate<Object, Object, Object>>) List.copyOf(all)
                : List.of();
    }

    /** Writes and reads them. */
    CodecSerializer<Object> serializer(String holds) {
        return new CodecSerializer<>(aggregate.accumulatorType(), holds, this);
    }

    Object create() {
        return parts.isEmpty() ? aggregate.create() : new Flat(new long[longs]);
    }

    /** Of one that was made here, or of which {@link #inState} was asked. */
    void add(Object accumulator, Object value) throws Exception {
        if (!(accumulator instanceof Flat flat)) {
            aggregate.add(accumulator, value);
            return;
        }
        int at = 0;
        for (int i = 0; i < parts.size(); i++) {
            FlatAggregate<Object, Object, Object> part = parts.get(i);
            part.add(flat.longs, at, value);
            at += part.longs();
        }
    }

    @Nullable Object result(Object accumulator) throws Exception {
        if (!(accumulator instanceof Flat flat)) {
            return aggregate.result(accumulator);
        }
        @Nullable Object[] results = new Object[parts.size()];
        int at = 0;
        for (int i = 0; i < results.length; i++) {
            FlatAggregate<Object, Object, Object> part = parts.get(i);
            results[i] = part.result(flat.longs, at);
            at += part.longs();
        }
        return (Object) aggregate instanceof SeveralAggregates<?, ?, ?> several ? several.record(results) : results[0];
    }

    @Override
    public Object saved(Object inState) {
        if (!(inState instanceof Flat flat)) {
            return inState;
        }
        Object[] accumulators = new Object[parts.size()];
        int at = 0;
        for (int i = 0; i < accumulators.length; i++) {
            FlatAggregate<Object, Object, Object> part = parts.get(i);
            accumulators[i] = part.accumulator(flat.longs, at);
            at += part.longs();
        }
        return (Object) aggregate instanceof SeveralAggregates<?, ?, ?> ? accumulators : accumulators[0];
    }

    @Override
    public Object inState(Object saved) {
        if (parts.isEmpty() || saved instanceof Flat) {
            return saved;
        }
        Object[] accumulators =
                (Object) aggregate instanceof SeveralAggregates<?, ?, ?> ? (Object[]) saved : new Object[] {saved};
        Flat flat = new Flat(new long[longs]);
        int at = 0;
        for (int i = 0; i < accumulators.length; i++) {
            FlatAggregate<Object, Object, Object> part = parts.get(i);
            part.set(flat.longs, at, accumulators[i]);
            at += part.longs();
        }
        return flat;
    }
}
