// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

/**
 * The whole JVM since the job began; heap and threads are current values.
 *
 * @param cpuNs CPU time used, in nanoseconds
 * @param heapUsedBytes heap in use now
 * @param gcCount number of garbage collections
 * @param gcMs time spent in garbage collection, in milliseconds
 * @param threads live threads now
 */
public record ProcessStats(long cpuNs, long heapUsedBytes, long gcCount, long gcMs, int threads) {}
