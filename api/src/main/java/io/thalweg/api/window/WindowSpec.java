// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.window;

import java.io.Serializable;
import java.math.BigInteger;

/** Which windows a record belongs to. All times are epoch milliseconds. */
public sealed interface WindowSpec extends Serializable {
    /** True if records need event times, so that it can be said which windows they belong to. */
    boolean needsEventTime();

    /** Windows end by watermarks that pass a multiple of this many milliseconds; 0 if no watermark ends them. */
    long watermarkStep();

    /** Calls the visitor's method for this kind. */
    <R> R accept(WindowVisitor<R> visitor);

    /** Windows of {@code sizeMs}, one every {@code stepMs}, aligned to the epoch; tumbling if both are equal. */
    record Aligned(long sizeMs, long stepMs) implements WindowSpec {
        public Aligned {
            if (sizeMs <= 0 || stepMs <= 0) {
                throw new IllegalArgumentException(
                        "a window needs a size and a step of at least 1 ms, not " + sizeMs + " and " + stepMs);
            }
        }

        /** Start of the last window that begins at or before {@code time}. */
        public long lastStart(long time) {
            return Math.floorDiv(time, stepMs) * stepMs;
        }

        @Override
        public boolean needsEventTime() {
            return true;
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

    /** Records of a key that follow each other by no more than {@code gapMs}. */
    record Session(long gapMs) implements WindowSpec {
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

    /** So many records of a key, in the order in which they arrive; the next window begins {@code step} records after this one. */
    record Count(long size, long step) implements WindowSpec {
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

    /** One window over the whole input, closed when the input ends; needs no event time. */
    record Whole() implements WindowSpec {
        @Override
        public boolean needsEventTime() {
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
