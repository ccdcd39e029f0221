// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import io.thalweg.api.window.EventDuration;
import java.io.Serializable;
import java.time.Duration;

/**
 * How long the state of a keyed operator keeps what was written to it. Each value, each element of a list and each
 * entry of a map expires on its own, this long after it was last written; reading does not extend its life. Expired
 * values are no longer visible, and are removed at the latest after another quarter of their time to live.
 *
 * <pre>{@code
 * sessions = context.mapState("sessions", Type.of(String.class), Type.of(Session.class),
 *         TimeToLive.ofEventTime(Duration.ofHours(1)));
 * }</pre>
 *
 * <p>By event time, a value written at a time is visible before that time plus {@code after}. The time of a call is the
 * event time of the current record or the millisecond behind the watermark that its split had, whichever is later, so what is
 * visible depends only on the records of the key and their order, not on parallelism or speed. The time of a processing-time
 * timer is the millisecond behind the watermark; what it writes before the first one does not expire until it is written again.
 * By processing time, results depend on when the job runs.
 *
 * @param after whole milliseconds, at least one
 * @param eventTime false for processing time, the machine's clock
 */
public record TimeToLive(Duration after, boolean eventTime) implements Serializable {
    /**
     * Checks the duration.
     *
     * @throws IllegalArgumentException if it is less than a millisecond or not in whole milliseconds
     */
    public TimeToLive {
        if (EventDuration.atLeastZero("the time to live of a state", after) == 0) {
            throw new IllegalArgumentException("the time to live of a state must be at least a millisecond");
        }
    }

    /** Expires by event time; the operator's input must have event times. */
    public static TimeToLive ofEventTime(Duration after) {
        return new TimeToLive(after, true);
    }

    /** Expires by processing time, the machine's clock. */
    public static TimeToLive ofProcessingTime(Duration after) {
        return new TimeToLive(after, false);
    }
}
