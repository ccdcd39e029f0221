// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

/** The only clock of a run, which tests replace. */
@FunctionalInterface
public interface Clock {
    /** Nanoseconds from an arbitrary origin; never runs backwards. */
    long nowNs();

    /** The time of day in epoch milliseconds: for processing-time timers, and for people to read. */
    default long epochMs() {
        return System.currentTimeMillis();
    }

    /** The machine's clock. */
    static Clock system() {
        return System::nanoTime;
    }
}
