// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.result;

import org.jspecify.annotations.Nullable;

/**
 * Where and when it was measured.
 *
 * @param commit of the source tree, with {@code +} if it had changes that were not committed; null if that is not known
 * @param started when, in ISO 8601 with UTC
 * @param ceilingRecordsPerS what the harness itself can count a second, with no engine between source and sink
 * @param meterNsPerRecord what counting one record costs
 * @param clockNs what one reading of the clock costs
 */
public record Machine(
        String cpu,
        int cores,
        long memoryMb,
        String os,
        String java,
        String thalweg,
        @Nullable String commit,
        String started,
        double ceilingRecordsPerS,
        double meterNsPerRecord,
        double clockNs) {
    /** What tells it from another one. */
    public String text() {
        return cpu + ", " + cores + " cores, " + memoryMb + " MB, " + os + ", Java " + java;
    }
}
