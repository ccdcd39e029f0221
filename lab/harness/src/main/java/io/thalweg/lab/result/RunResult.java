// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.result;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of a cell.
 *
 * @param turn its place among all runs of the call, which are interleaved
 * @param recordsPerS of the measured part; null for a run that is not valid
 * @param reason why it is not valid; null if it is
 * @param warmUpS seconds until the rate had settled
 * @param settled whether it did
 * @param liveHeapMb heap in use after a collection while the sources still ran; null if that was not asked for
 * @param series second by second, from the first record on
 */
public record RunResult(
        int turn,
        @Nullable Double recordsPerS,
        CellResult.@Nullable Latency latencyUs,
        @Nullable String reason,
        double warmUpS,
        double measuredS,
        boolean settled,
        long sent,
        long received,
        @Nullable Double liveHeapMb,
        List<Second> series) {

    /** The same, but not valid. */
    public RunResult invalid(String why) {
        return new RunResult(turn, null, null, why, warmUpS, measuredS, settled, sent, received, liveHeapMb, series);
    }

    /**
     * One second of a run.
     *
     * @param t seconds since the first record
     * @param measured whether it belongs to the measured part
     * @param p50Us of the records that came out in it; null without latencies, likewise the next two
     * @param cpuPercent of all processes of the engine, 100 for one core
     * @param machineCpuPercent of the whole machine, 100 for all its cores
     * @param stealPercent taken by other guests of the host
     * @param rssMb of all processes of the engine
     * @param heapMb in use, of the JVMs that have meters
     * @param loopbackMb over loopback in this second, in 10^6 bytes
     * @param gcMs in collections, in this second
     * @param gcLongestMs longest collection so far
     * @param contextSwitches of all processes of the engine, in this second
     * @param threads of all processes of the engine
     * @param load of the machine, over one minute
     */
    public record Second(
            double t,
            boolean measured,
            double recordsPerS,
            @Nullable Double p50Us,
            @Nullable Double p99Us,
            @Nullable Double maxUs,
            double cpuPercent,
            double machineCpuPercent,
            double stealPercent,
            double rssMb,
            double heapMb,
            double loopbackMb,
            double gcMs,
            double gcLongestMs,
            double contextSwitches,
            double threads,
            double load) {}
}
