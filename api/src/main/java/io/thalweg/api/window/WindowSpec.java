// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.window;

import java.io.Serializable;
import java.math.BigInteger;

/**
 * Defines which windows a record belongs to; made by {@link Windows}. All times are epoch milliseconds. The methods are
 * for runners.
 */
public sealed interface WindowSpec extends Serializable {
    /** Whether records need event times to be assigned to windows. */
    boolean needsEventTime();

    /** Whether what a window holds depends on the order in which the records of its key arrive. */
    boolean byArrival();

    /** Windows end when the watermark passes a multiple of this many milliseconds; 0 if no watermark ends them. */
    long watermarkStep();

    /** Calls the visitor's method for this kind of window. */
    <R> R accept(WindowVisitor<R> visitor);

    /**
     * Windows of {@code sizeMs} that start every {@code stepMs}, aligned to the epoch: tumbling if both are equal,
     * otherwise sliding.
     *
     * @param sizeMs at least 1
     * @param stepMs at least 1
     */
    record Aligned(long sizeMs, long stepMs) implements WindowSpec {
        /**
         * Checks the values.
         *
         * @throws IllegalArgumentException if one is less than 1
         */
        public Aligned {
            if (sizeMs <= 0 || stepMs <= 0) {
                throw new IllegalArgumentException(
                        "a window needs a size and a step of at least 1 ms, not " + sizeMs + " and " + stepMs);
            }
        }

        /** The start of the last window that begins at or before {@code time}. */
        public long lastStart(long time) {
            return Math.floorDiv(time, stepMs) * stepMs;
        }

        @Override
        public boolean needsEventTime() {
            return true;
        }

        @Override
        public boolean byArrival() {
            return false;
        }

        @Override
        public long watermarkStep() {
            return BigInteger.valueOf(sizeMs).gcd(BigInteger.valueOf(stepMs)).longValue();
        }

        @Override
        public <R> R accept(WindowVisitor<R> visitor) {
            return visitor.aligned(this);
        }

        @Override
        public String toString() {
            return sizeMs == stepMs ? "tumbling " + sizeMs + " ms" : "sliding " + sizeMs + " ms by " + stepMs + " ms";
        }
    }

    /**
     * A session: records of a key that follow each other by no more than {@code gapMs}.
     *
     * @param gapMs at least 1
     */
    record Session(long gapMs) implements WindowSpec {
        /**
         * Checks the gap.
         *
         * @throws IllegalArgumentException if it is less than 1
         */
        public Session {
            if (gapMs <= 0) {
                throw new IllegalArgumentException("a session needs a gap of at least 1 ms, not " + gapMs);
            }
        }

        @Override
        public boolean needsEventTime() {
            return true;
        }

        @Override
        public boolean byArrival() {
            return false;
        }

        @Override
        public long watermarkStep() {
            return 1;
        }

        @Override
        public <R> R accept(WindowVisitor<R> visitor) {
            return visitor.session(this);
        }

        @Override
        public String toString() {
            return "session " + gapMs + " ms";
        }
    }

    /**
     * A number of records of a key, in the order of arrival; the next window starts {@code step} records after this
     * one.
     *
     * @param size at least 1
     * @param step at least 1
     */
    record Count(long size, long step) implements WindowSpec {
        /**
         * Checks the values.
         *
         * @throws IllegalArgumentException if one is less than 1
         */
        public Count {
            if (size <= 0 || step <= 0) {
                throw new IllegalArgumentException(
                        "a count window needs a size and a step of at least 1 record, not " + size + " and " + step);
            }
        }

        @Override
        public boolean needsEventTime() {
            return false;
        }

        @Override
        public boolean byArrival() {
            return true;
        }

        @Override
        public long watermarkStep() {
            return 0;
        }

        @Override
        public <R> R accept(WindowVisitor<R> visitor) {
            return visitor.count(this);
        }

        @Override
        public String toString() {
            return size == step
                    ? "tumbling " + size + " records"
                    : "sliding " + size + " records by " + step + " records";
        }
    }

    /** A single window over the whole input, which fires when the input ends; needs no event time. */
    record Whole() implements WindowSpec {
        @Override
        public boolean needsEventTime() {
            return false;
        }

        @Override
        public boolean byArrival() {
            return false;
        }

        @Override
        public long watermarkStep() {
            return 0;
        }

        @Override
        public <R> R accept(WindowVisitor<R> visitor) {
            return visitor.whole(this);
        }

        @Override
        public String toString() {
            return "whole input";
        }
    }
}
