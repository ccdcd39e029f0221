// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.flink;

import io.thalweg.doctor.observation.ProcessSpan;
import org.jspecify.annotations.Nullable;

/**
 * What a TaskManager has counted since it was started.
 *
 * @param name its id
 * @param cores its share of those of its host
 * @param cpuNs CPU time
 * @param threads now
 * @param heapUsed bytes
 * @param heapMax bytes; 0 if it does not tell
 * @param gcCount collections
 * @param gcMs in collections
 * @param networkRequested percent of its network memory that tasks ask for; null if it does not tell
 */
record ProcessTotals(
        String name,
        int cores,
        long cpuNs,
        long threads,
        long heapUsed,
        long heapMax,
        long gcCount,
        long gcMs,
        @Nullable Long networkRequested) {
    private static final long NS_PER_MS = 1_000_000;

    /** @param before null if it is new */
    ProcessSpan since(@Nullable ProcessTotals before, double factor) {
        ProcessTotals from = before == null || before.cpuNs > cpuNs ? this : before;
        return new ProcessSpan(
                name,
                cores,
                Math.round((cpuNs - from.cpuNs) * factor),
                (int) Math.min(threads, Integer.MAX_VALUE),
                heapUsed,
                heapMax == 0 ? null : Long.valueOf(heapMax),
                Math.max(0, gcCount - from.gcCount),
                Math.round(Math.max(0, gcMs - from.gcMs) * NS_PER_MS * factor),
                null,
                null);
    }
}
