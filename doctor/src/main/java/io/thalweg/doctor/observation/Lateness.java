// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

import io.thalweg.api.stats.LateRecords;

/**
 * How late the late records of an operator were: by how much more disorder would have had to be allowed for them, each at most an eighth
 * more than it was. It holds no record.
 *
 * @param operator for which they were late
 * @param records how many, since the job was started
 * @param p50Ms half of them by at most so many milliseconds; 0 if it is unknown how late they were
 * @param p99Ms 99 % of them
 * @param maxMs all of them
 */
public record Lateness(String operator, long records, long p50Ms, long p99Ms, long maxMs) {
    private static final double HALF = 0.5;

    /** What {@link #p99Ms} admits. */
    public static final double MOST = 0.99;

    /** Of what an engine tells. */
    public static Lateness of(LateRecords late) {
        return new Lateness(late.operator(), late.records(), late.byMs(HALF), late.byMs(MOST), late.byMs(1));
    }
}
