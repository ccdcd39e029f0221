// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.window;

import java.time.Duration;

/** The kinds of windows. Start inclusive, end exclusive, aligned to 1970-01-01 UTC. */
public final class Windows {
    private Windows() {}

    public static WindowSpec tumbling(Duration size) {
        return new WindowSpec.Aligned(size.toMillis(), size.toMillis());
    }

    /** A window of {@code size} every {@code step}; any size and step, also a step longer than the size. */
    public static WindowSpec sliding(Duration size, Duration step) {
        return new WindowSpec.Aligned(size.toMillis(), step.toMillis());
    }

    /** Ends when nothing came for longer than {@code gap}; a pause of exactly {@code gap} continues it. */
    public static WindowSpec session(Duration gap) {
        return new WindowSpec.Session(gap.toMillis());
    }

    /** The whole input as one window; fires when a bounded input has ended. */
    public static WindowSpec whole() {
        return new WindowSpec.Whole();
    }
}
