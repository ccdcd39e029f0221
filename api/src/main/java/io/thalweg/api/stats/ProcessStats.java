// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

/** The whole JVM since the job began; heap and threads are as of now. */
public record ProcessStats(long cpuNs, long heapUsedBytes, long gcCount, long gcMs, int threads) {}
