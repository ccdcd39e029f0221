// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.FlatAggregate;
import io.thalweg.engine.chain.Specialiser;

/** The hot half of an aggregate: adds a record to the accumulator of a row, by calls that each meet one target. */
interface Adder {
    /** The rows have the layout that the adder was made for. */
    void add(Rows rows, int row, Object value) throws Exception;

    /** A tree of copies: each aggregate of several gets call sites of its own. */
    static Adder of(Layout layout, Specialiser specialiser) {
        return several(0, layout.parts(), layout, specialiser);
    }

    private static Adder several(int from, int to, Layout layout, Specialiser specialiser) {
        if (to - from == 1) {
            Layout.Part part = layout.part(from);
            FlatAggregate<Object, Object, Object> flat = part.flat();
            return flat == null
                    ? specialiser.make(new ToObject.Parts(part.place(), specialiser.again(part.aggregate())))
                    : specialiser.make(new ToLongs.Parts(part.place(), specialiser.again(flat)));
        }
        int middle = (from + to) >>> 1;
        return specialiser.make(
                new Both.Parts(several(from, middle, layout, specialiser), several(middle, to, layout, specialiser)));
    }

    /** Adds to some longs of the row. */
    final class ToLongs implements Adder {
        private final int place;
        private final FlatAggregate<Object, Object, Object> aggregate;

        record Parts(int place, FlatAggregate<Object, Object, Object> aggregate) implements Specialiser.Parts<Adder> {
            @Override
            public Class<ToLongs> type() {
                return ToLongs.class;
            }
        }

        ToLongs(ToLongs.Parts parts) {
            place = parts.place();
            aggregate = parts.aggregate();
        }

        @Override
        public void add(Rows rows, int row, Object value) throws Exception {
            aggregate.add(rows.longs, rows.atLongs(row) + place, value);
        }
    }

    /** Adds to one of the objects of the row. */
    final class ToObject implements Adder {
        private final int place;
        private final Aggregate<Object, Object, Object> aggregate;

        record Parts(int place, Aggregate<Object, Object, Object> aggregate) implements Specialiser.Parts<Adder> {
            @Override
            public Class<ToObject> type() {
                return ToObject.class;
            }
        }

        ToObject(ToObject.Parts parts) {
            place = parts.place();
            aggregate = parts.aggregate();
        }

        @Override
        public void add(Rows rows, int row, Object value) throws Exception {
            aggregate.add(rows.object(row, place), value);
        }
    }

    final class Both implements Adder {
        private final Adder left;
        private final Adder right;

        record Parts(Adder left, Adder right) implements Specialiser.Parts<Adder> {
            @Override
            public Class<Both> type() {
                return Both.class;
            }
        }

        Both(Both.Parts parts) {
            left = parts.left();
            right = parts.right();
        }

        @Override
        public void add(Rows rows, int row, Object value) throws Exception {
            left.add(rows, row, value);
            right.add(rows, row, value);
        }
    }
}
