// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.work;

/** The engine's one clock. */
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
