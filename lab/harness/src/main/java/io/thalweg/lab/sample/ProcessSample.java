// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.sample;

/**
 * What the processes of one run and the machine used up to one moment. Times and counts only grow, but for context switches, which are those of threads that live.
 *
 * @param timeNs on the clock of {@link System#nanoTime}
 * @param idleTicks of all cores, like the next two
 */
public record ProcessSample(
        long timeNs,
        double cpuMs,
        long rssBytes,
        long contextSwitches,
        long threads,
        long idleTicks,
        long stealTicks,
        long allTicks,
        long loopbackBytes,
        double load) {}
