// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

import org.jspecify.annotations.Nullable;

/**
 * A process over a span.
 *
 * @param process its name, unique in the job
 * @param cores that it may use
 * @param cpuNs CPU time of all its threads
 * @param threads at the end of the span
 * @param heapUsedBytes at the end of the span, with garbage
 * @param heapMaxBytes the limit of the heap
 * @param gcCount garbage collections
 * @param gcNs in which collections stopped the tasks
 * @param gcCpuNs CPU time of the threads that collect garbage, part of {@code cpuNs}; null if unknown
 * @param machineLoad share of all cores of the machine that anybody kept busy at the end of the span; null if unknown
 */
public record ProcessSpan(
        String process,
        int cores,
        long cpuNs,
        int threads,
        long heapUsedBytes,
        @Nullable Long heapMaxBytes,
        long gcCount,
        long gcNs,
        @Nullable Long gcCpuNs,
        @Nullable Double machineLoad) {
    public ProcessSpan {
        if (cores < 1) {
            throw new IllegalArgumentException("a process has a core at least, not " + cores);
        }
    }

    /** This span and the one after it, of the same process, as one. */
    public ProcessSpan and(ProcessSpan next) {
        return new ProcessSpan(
                process,
                next.cores,
                cpuNs + next.cpuNs,
                next.threads,
                next.heapUsedBytes,
                next.heapMaxBytes,
                gcCount + next.gcCount,
                gcNs + next.gcNs,
                gcCpuNs == null || next.gcCpuNs == null ? null : Long.valueOf(gcCpuNs + next.gcCpuNs),
                next.machineLoad);
    }
}
