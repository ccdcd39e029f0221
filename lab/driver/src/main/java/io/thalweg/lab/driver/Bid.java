// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.io.Serializable;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A record of {@link Cell.Workload#WINDOWS}, as of an auction: who bid when.
 *
 * @param timeMs event time, from 0 on
 * @param key one of {@link Cell#cardinality}
 * @param number of the record
 */
public record Bid(long timeMs, long key, long number) implements Serializable {
    /**
     * How many records lie between the two of a pair. Event time between them is less than {@link #JOIN_MS}, and the next of a key
     * come later than that, so a join finds just one partner for each record.
     */
    public static final int JOIN_DISTANCE = 10_000;

    /** A pair lies no further apart than this. */
    public static final long JOIN_MS = 20;

    /**
     * Whether a sliding window counts for a key: of the windows that a record lies in, just one does, for each key another, so that
     * what comes out can be compared with what went in.
     */
    public static boolean isCounted(long key, long startMs, long sizeMs, long stepMs) {
        long windows = sizeMs / stepMs;
        return Math.floorMod(startMs / stepMs, windows) == Math.floorMod(key, windows);
    }

    /** Makes the records of a cell. Any thread may call. */
    public static final class Maker implements Serializable {
        private static final long serialVersionUID = 1L;

        private final int cardinality;
        private final long window;
        private final boolean join;

        public Maker(Cell cell) {
            cardinality = cell.cardinality();
            window = cell.window();
            join = cell.operation() == Cell.Operation.JOIN;
            if (cardinality < 1) {
                throw new IllegalArgumentException("cardinality must be at least 1, not " + cardinality);
            }
            if (join && (JOIN_DISTANCE * 1_000L > JOIN_MS * window || cardinality * 1_000L < 3 * JOIN_MS * window)) {
                throw new IllegalArgumentException(
                        "with " + window + " records in a second of event time and " + cardinality + " keys, a join of "
                                + JOIN_MS + " ms does not find one partner for each record");
            }
            if (join && cell.sources() > 1) {
                throw new IllegalArgumentException("a join has one source");
            }
        }

        /** Record n: keys come equally often, without a pattern; those of a join in turns. */
        public Bid make(long n) {
            return new Bid(n * 1_000 / window, join ? n % cardinality : GroupBy.spread(n, cardinality), n);
        }

        /**
         * Makes the records of the other stream of a join that come with a record: those whose partners are {@link #JOIN_DISTANCE}
         * records behind it, and with the first one also those of all before.
         */
        public List<Bid> partners(Bid bid) {
            long last = bid.number + JOIN_DISTANCE;
            if (bid.number > 0) {
                return List.of(partner(bid, last));
            }
            return LongStream.rangeClosed(0, last)
                    .mapToObj(n -> partner(bid, n))
                    .toList();
        }

        private Bid partner(Bid bid, long n) {
            return new Bid(bid.timeMs, n % cardinality, n);
        }
    }
}
