// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.Combined;
import io.thalweg.api.operator.CombinedLongs;
import io.thalweg.api.operator.LongFold;
import io.thalweg.engine.chain.Specialiser;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The hot half of an aggregate: adds a record to an accumulator, by calls that each meet one target. The longs of a {@link
 * CombinedLongs} begin at an index of the array handed over; to any other accumulator the index says nothing.
 */
public interface Adder {
    void add(Object accumulator, int at, Object value) throws Exception;

    /** A tree of copies: each aggregate of several gets call sites of its own. */
    static Adder of(Aggregate<Object, Object, Object> aggregate, Specialiser specialiser) {
        Aggregate<?, ?, ?> any = aggregate;
        if (any instanceof CombinedLongs<?, ?> longs) {
            @SuppressWarnings("unchecked") // a combined aggregate takes the records of the stage it stands in
            List<LongFold<Object>> parts = (List<LongFold<Object>>) (List<?>) longs.parts();
            return several(
                    0,
                    parts.size(),
                    part -> specialiser.make(AtLong.class, part, specialiser.again(parts.get(part))),
                    specialiser);
        }
        if (any instanceof Combined<?, ?> combined) {
            @SuppressWarnings("unchecked") // likewise
            List<Aggregate<Object, Object, Object>> parts =
                    (List<Aggregate<Object, Object, Object>>) (List<?>) combined.parts();
            return several(
                    0,
                    parts.size(),
                    part -> specialiser.make(At.class, part, specialiser.again(parts.get(part))),
                    specialiser);
        }
        return specialiser.make(One.class, specialiser.again(aggregate));
    }

    private static Adder several(int from, int to, IntFunction<Adder> parts, Specialiser specialiser) {
        if (to - from == 1) {
            return parts.apply(from);
        }
        int middle = (from + to) >>> 1;
        return specialiser.make(
                Both.class, several(from, middle, parts, specialiser), several(middle, to, parts, specialiser));
    }

    final class One implements Adder {
        private final Aggregate<Object, Object, Object> aggregate;

        One(Aggregate<Object, Object, Object> aggregate) {
            this.aggregate = aggregate;
        }

        @Override
        public void add(Object accumulator, int at, Object value) throws Exception {
            aggregate.add(accumulator, value);
        }
    }

    /** One of several accumulators. */
    final class At implements Adder {
        private final int index;
        private final Aggregate<Object, Object, Object> aggregate;

        At(int index, Aggregate<Object, Object, Object> aggregate) {
            this.index = index;
            this.aggregate = aggregate;
        }

        @Override
        public void add(Object accumulators, int at, Object value) throws Exception {
            aggregate.add(((Object[]) accumulators)[index], value);
        }
    }

    /** One of several longs. */
    final class AtLong implements Adder {
        private final int index;
        private final LongFold<Object> fold;

        AtLong(int index, LongFold<Object> fold) {
            this.index = index;
            this.fold = fold;
        }

        @Override
        public void add(Object accumulators, int at, Object value) throws Exception {
            long[] longs = (long[]) accumulators;
            longs[at + index] = fold.fold(longs[at + index], value);
        }
    }

    final class Both implements Adder {
        private final Adder left;
        private final Adder right;

        Both(Adder left, Adder right) {
            this.left = left;
            this.right = right;
        }

        @Override
        public void add(Object accumulators, int at, Object value) throws Exception {
            left.add(accumulators, at, value);
            right.add(accumulators, at, value);
        }
    }
}
