// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import io.thalweg.api.window.EventDuration;
import java.io.Serializable;
import java.time.Duration;

/**
 * How long a state of a keyed operator keeps what was written to it. Each value, each element of a list and each entry of a map
 * expires by itself, so long after it was written last; reading it does not prolong its life. What has expired is not seen any
 * more, and is removed at the latest a quarter of its life later.
 *
 * <pre>{@code
 * sessions = context.mapState("sessions", Type.of(String.class), Type.of(Session.class),
 *         TimeToLive.ofEventTime(Duration.ofHours(1)));
 * }</pre>
 *
 * <p>By event time, a value that was written at a time is seen before that time plus {@code after}. The time of a call is the
 * greater one of the event time of the record in hand and the watermark that its split had, so that what is seen depends on the
 * records of the key and their order alone, not on parallelism or on how fast the job runs. By the clock of the machine, results
 * depend on when the job runs.
 *
 * @param after whole milliseconds, at least one
 * @param eventTime false for the clock of the machine
 */
public record TimeToLive(Duration after, boolean eventTime) implements Serializable {
    public TimeToLive {
        if (EventDuration.atLeastZero("the time to live of a state", after) == 0) {
            throw new IllegalArgumentException("the time to live of a state must be at least a millisecond");
        }
    }

    public static TimeToLive ofEventTime(Duration after) {
        return new TimeToLive(after, true);
    }

    public static TimeToLive ofProcessingTime(Duration after) {
        return new TimeToLive(after, false);
    }
}
