// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

/** The one clock of a run, which tests control. */
@FunctionalInterface
public interface Clock {
    /** Nanoseconds from some origin; never runs back. */
    long nowNs();

    /** For people to read. */
    default long epochMs() {
        return System.currentTimeMillis();
    }

    static Clock system() {
        return System::nanoTime;
    }
}
