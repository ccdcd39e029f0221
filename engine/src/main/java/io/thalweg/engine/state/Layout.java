// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.CombinedLongs;
import io.thalweg.api.operator.FlatAggregate;
import io.thalweg.api.operator.SeveralAggregates;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the accumulators of an aggregate stand in arrays: those of its flat parts as longs, one after the other, and those of its
 * other parts as objects. A checkpoint holds them as the aggregate's own accumulators.
 */
final class Layout {
    /** Of no aggregate: for who keeps keys alone. */
    static final Layout NONE = new Layout();

    /**
     * One of the aggregates.
     *
     * @param flat the same if it is kept in longs
     * @param place where it begins, among the longs or among the objects
     */
    record Part(
            Aggregate<Object, Object, Object> aggregate,
            @Nullable FlatAggregate<Object, Object, Object> flat,
            int place) {
        @SuppressWarnings("NullAway") // an aggregate over no values may have no result
        Object result(Rows of, int row) throws Exception {
            return flat == null
                    ? aggregate.result(of.object(row, place))
                    : flat.result(of.longs, of.atLongs(row) + place);
        }

        Object read(Rows of, int row) {
            return flat == null ? of.object(row, place) : flat.accumulator(of.longs, of.atLongs(row) + place);
        }

        void restore(Rows into, int row, Object accumulator) {
            if (flat == null) {
                into.objects[into.atObjects(row) + place] = accumulator;
            } else {
                flat.set(into.longs, into.atLongs(row) + place, accumulator);
            }
        }

        void merge(Rows into, int row, Rows from, int other) throws Exception {
            if (flat == null) {
                aggregate.merge(into.object(row, place), from.object(other, place));
            } else {
                flat.merge(into.longs, into.atLongs(row) + place, from.longs, from.atLongs(other) + place);
            }
        }
    }

    private final @Nullable Aggregate<Object, Object, Object> aggregate;
    private final @Nullable SeveralAggregates<?, ?, ?> several;
    private final Part[] parts;
    private final int longs;
    private final int objects;

    private Layout() {
        aggregate = null;
        several = null;
        parts = new Part[0];
        longs = 0;
        objects = 0;
    }

    @SuppressWarnings("unchecked") // a part takes the records of the stage and meets accumulators of its own
    Layout(Aggregate<Object, Object, Object> aggregate) {
        this.aggregate = aggregate;
        several = (Object) aggregate instanceof SeveralAggregates<?, ?, ?> of ? of : null;
        List<Aggregate<Object, Object, Object>> each = several == null
                ? List.of(aggregate)
                : (List<Aggregate<Object, Object, Object>>) (List<?>) several.parts();
        parts = new Part[each.size()];
        int someLongs = 0;
        int someObjects = 0;
        for (int part = 0; part < parts.length; part++) {
            if ((Object) each.get(part) instanceof FlatAggregate<?, ?, ?> of) {
                FlatAggregate<Object, Object, Object> flat = (FlatAggregate<Object, Object, Object>) of;
                parts[part] = new Part(flat, flat, someLongs);
                someLongs += flat.longs();
            } else {
                parts[part] = new Part(each.get(part), null, someObjects++);
            }
        }
        longs = someLongs;
        objects = someObjects;
    }

    private Layout(Layout of, Part[] parts, int longs) {
        aggregate = null;
        several = of.several;
        this.parts = parts;
        this.longs = longs;
        objects = 0;
    }

    /** Those parts whose merging is {@link FlatAggregate#associative}, each in its place; rows have no objects. */
    Layout associative() {
        Part[] some = some(true);
        return new Layout(this, some, some.length == 0 ? 0 : longs);
    }

    /** The other parts, to merge rows of this layout. */
    Layout notAssociative() {
        return new Layout(this, some(false), longs);
    }

    private Part[] some(boolean associative) {
        return Arrays.stream(parts)
                .filter(part -> (part.flat != null && part.flat.associative()) == associative)
                .toArray(Part[]::new);
    }

    /** How many longs an accumulator takes. */
    int longs() {
        return longs;
    }

    /** How many objects an accumulator takes. */
    int objects() {
        return objects;
    }

    /** Null if there is one aggregate, the only part. */
    @Nullable SeveralAggregates<?, ?, ?> several() {
        return several;
    }

    int parts() {
        return parts.length;
    }

    Part part(int part) {
        return parts[part];
    }

    /** The type of accumulators in a checkpoint. */
    Type<Object> type() {
        if (aggregate == null) {
            throw new IllegalStateException("no aggregate");
        }
        return aggregate.accumulatorType();
    }

    /** Puts the objects of an empty accumulator there; its longs are 0. */
    void create(@Nullable Object[] into, int at) {
        if (objects == 0) {
            return;
        }
        for (Part part : parts) {
            if (part.flat == null) {
                Object accumulator = part.aggregate.create();
                if (accumulator == null) {
                    throw new IllegalStateException("an aggregate made no accumulator");
                }
                into[at + part.place] = accumulator;
            }
        }
    }

    void merge(Rows into, int row, Rows from, int other) throws Exception {
        for (Part part : parts) {
            part.merge(into, row, from, other);
        }
    }

    /** The result of a row; null if there is none. */
    Object result(Rows of, int row) throws Exception {
        if (several == null) {
            return parts[0].result(of, row);
        }
        @Nullable Object[] results = new Object[parts.length];
        for (int part = 0; part < results.length; part++) {
            results[part] = parts[part].result(of, row);
        }
        return several.record(results);
    }

    /** A row as an accumulator of the aggregate, to be saved. */
    Object read(Rows of, int row) {
        if (several == null) {
            return parts[0].read(of, row);
        }
        if (several instanceof CombinedLongs<?, ?>) {
            return Arrays.copyOfRange(of.longs, of.atLongs(row), of.atLongs(row) + longs);
        }
        Object[] accumulators = new Object[parts.length];
        for (int part = 0; part < accumulators.length; part++) {
            accumulators[part] = parts[part].read(of, row);
        }
        return accumulators;
    }

    /** Puts an accumulator that was saved into a row. */
    void restore(Rows into, int row, Object accumulator) {
        if (several == null) {
            parts[0].restore(into, row, accumulator);
        } else if (several instanceof CombinedLongs<?, ?>) {
            System.arraycopy((long[]) accumulator, 0, into.longs, into.atLongs(row), longs);
        } else {
            Object[] accumulators = (Object[]) accumulator;
            for (int part = 0; part < accumulators.length; part++) {
                parts[part].restore(into, row, accumulators[part]);
            }
        }
    }
}
