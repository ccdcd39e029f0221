// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.window;

import java.time.Duration;

/** The kinds of windows. Start inclusive, end exclusive, aligned to 1970-01-01 UTC. */
public final class Windows {
    private Windows() {}

    public static WindowSpec tumbling(Duration size) {
        return sliding(size, size);
    }

    /** A window of {@code size} every {@code step}; any size and step, also a step longer than the size. */
    public static WindowSpec sliding(Duration size, Duration step) {
        return new WindowSpec.Aligned(
                EventDuration.millis("the size of a window", size), EventDuration.millis("the step of a window", step));
    }

    /** Ends when nothing came for longer than {@code gap}; a pause of exactly {@code gap} continues it. */
    public static WindowSpec session(Duration gap) {
        return new WindowSpec.Session(EventDuration.millis("the gap of a session", gap));
    }

    /** {@link #count(long, long)} with a step of {@code size}: each record is in one window. */
    public static WindowSpec count(long size) {
        return new WindowSpec.Count(size, size);
    }

    /**
     * Windows of {@code size} records of a key, one every {@code step} records, in the order in which they arrive; any size and step,
     * also a step longer than the size. A window fires with its last record; the end of a bounded input fires those that are not full.
     * Records that an aggregate calls bad are not counted.
     *
     * <p>Needs no event time, nothing is late for it, and its results have no event time. A result starts at 0 and ends at the number
     * of its records. A key keeps an accumulator for each open window, so up to {@code size / step}, rounded up.
     *
     * <p>Which records a window holds depends on the order in which they arrive: it is the same on every run if all records of a key come
     * through one task, from one split, and may differ from run to run otherwise.
     */
    public static WindowSpec count(long size, long step) {
        return new WindowSpec.Count(size, step);
    }

    /** The whole input as one window; fires when a bounded input has ended. */
    public static WindowSpec whole() {
        return new WindowSpec.Whole();
    }
}
