// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

import org.jspecify.annotations.Nullable;

/**
 * What the Python processes of an operator did, all of them together.
 *
 * @param processes that ran at the end
 * @param takes what the function is called with: {@code rows}, {@code batches}, {@code arrow}
 * @param packing which MessagePack they use: {@code built in}, or the package with its version
 * @param observedNs for how long each of them was observed, added up
 * @param rows that they answered meanwhile
 * @param batches of rows that they answered meanwhile
 * @param cpuNs CPU time of the processes; null if unknown
 * @param functionNs in which the function ran, as the processes measured it; null if they do not tell, as for results in columns
 * @param waitedNs in which they waited for rows, as they measured it; null if they do not tell
 * @param threadsNs CPU time of the threads of Java that write rows to them and read results; null if unknown
 */
public record PythonWork(
        int processes,
        String takes,
        String packing,
        long observedNs,
        long rows,
        long batches,
        @Nullable Long cpuNs,
        @Nullable Long functionNs,
        @Nullable Long waitedNs,
        @Nullable Long threadsNs) {}
