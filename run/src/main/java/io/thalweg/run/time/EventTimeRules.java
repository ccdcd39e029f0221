// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run.time;

import io.thalweg.api.operator.OperatorContext;

/** The rules for the event time and the stamp of a record. */
public final class EventTimeRules {
    /** Why a record without an event time is a bad record. */
    public static final String MISSING = "the record has no event time";

    /** Some 70 million years from now; arithmetic on times up to this one does not overflow. */
    private static final long LAST = 1L << 61;

    private EventTimeRules() {}

    /** Whether the time may be an event time. */
    public static boolean inRange(long time) {
        return time <= LAST && time >= -LAST;
    }

    /** Why a record whose event time is not {@link #inRange} is a bad record. */
    public static String outOfRange(long time) {
        return "the event time " + time + " is out of range; it must be in milliseconds";
    }

    /**
     * The watermark of a split after a record. The record's own stamp is the watermark before it.
     *
     * @param before the watermark of the split before the record
     * @param time the record's event time
     */
    public static long watermarkAfter(long before, long time, long maxDisorderMs) {
        long reached = time - maxDisorderMs - 1;
        return reached > before && reached < time ? reached : before; // a long disorder overflows
    }

    /**
     * Checks the time that a user's operator gives to what it emits.
     *
     * @param current the time of the current record, or {@link OperatorContext#NO_TIME}
     * @throws IllegalStateException if there is no current time
     * @throws IllegalArgumentException if the time is before the current one
     */
    public static void checkEmitAt(long time, boolean timed, long current) {
        if (!timed || current == OperatorContext.NO_TIME) {
            throw new IllegalStateException("emitAt needs a current event time");
        }
        if (time < current) {
            throw new IllegalArgumentException("emitAt(" + time + ") is before the current event time, " + current);
        }
    }

    /**
     * The stamp of a record that an operator emits with a time of its own, or while a timer fires: never ahead of the time.
     *
     * @param stamp of the current record; for a timer, the watermark of the operator
     */
    public static long stampAt(long time, long stamp) {
        return Math.max(stamp, time - 1);
    }
}
