// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

import org.jspecify.annotations.Nullable;

/**
 * How old records were when sinks had processed them, in a span.
 *
 * @param samples records
 * @param sumUs their ages together, in microseconds
 */
public record Ages(long samples, double sumUs) {
    /** Of two spans together; null if there are none in either. */
    static @Nullable Ages sum(@Nullable Ages one, @Nullable Ages other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return new Ages(one.samples + other.samples, one.sumUs + other.sumUs);
    }
}
