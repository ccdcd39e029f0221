// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.window;

import java.time.Duration;

/**
 * The kinds of windows. A window includes its start and excludes its end; those of a fixed size are aligned to
 * 1970-01-01 UTC.
 *
 * <pre>{@code
 * Windows.tumbling(Duration.ofMinutes(1))                          // 12:00 to 12:01, 12:01 to 12:02, …
 * Windows.sliding(Duration.ofMinutes(5), Duration.ofMinutes(1))    // 12:00 to 12:05, 12:01 to 12:06, …
 * Windows.session(Duration.ofMinutes(30))                          // until 30 minutes without a record
 * }</pre>
 */
public final class Windows {
    private Windows() {}

    /**
     * Windows of a fixed size that do not overlap: each record is in exactly one.
     *
     * @param size at least 1 ms, in whole milliseconds
     * @throws IllegalArgumentException if it is not
     */
    public static WindowSpec tumbling(Duration size) {
        return sliding(size, size);
    }

    /**
     * Windows of a fixed size that start every {@code step}. If the step is less than the size, windows overlap and a
     * record is in several; if it is greater, some records are in none.
     *
     * @param size at least 1 ms, in whole milliseconds
     * @param step at least 1 ms, in whole milliseconds
     * @throws IllegalArgumentException if they are not
     */
    public static WindowSpec sliding(Duration size, Duration step) {
        return new WindowSpec.Aligned(
                EventDuration.millis("the size of a window", size), EventDuration.millis("the step of a window", step));
    }

    /**
     * Windows that end after a gap in the records of a key. A pause of exactly {@code gap} continues the session, a
     * longer one ends it.
     *
     * @param gap at least 1 ms, in whole milliseconds
     * @throws IllegalArgumentException if it is not
     */
    public static WindowSpec session(Duration gap) {
        return new WindowSpec.Session(EventDuration.millis("the gap of a session", gap));
    }

    /** The same as {@link #count(long, long)} with a step of {@code size}: each record is in one window. */
    public static WindowSpec count(long size) {
        return new WindowSpec.Count(size, size);
    }

    /**
     * Windows of {@code size} records of a key that start every {@code step} records, in the order of arrival; the step
     * may be greater than the size. A window fires with its last record; the end of a bounded input fires those that
     * are not full. Bad records are not counted.
     *
     * <p>Needs no event time, nothing is late for it, and its results have no event time. A result starts at 0 and ends
     * at the number of its records. A key keeps an accumulator for each open window: up to {@code size / step}, rounded
     * up.
     *
     * <p>Which records a window contains depends on the order of arrival: it is the same on every run if all records of
     * a key come through one task, from one split; otherwise it may differ from run to run.
     *
     * @param size at least 1
     * @param step at least 1
     * @throws IllegalArgumentException if one is less than 1
     */
    public static WindowSpec count(long size, long step) {
        return new WindowSpec.Count(size, step);
    }

    /** A single window over the whole input; fires when a bounded input has ended, and never on an endless one. */
    public static WindowSpec whole() {
        return new WindowSpec.Whole();
    }
}
