// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of a cell.
 *
 * @param turn its place among all runs of the call, which are interleaved
 * @param recordsPerS of the measured part; null for a run that is not valid
 * @param reason why it is not valid; null if it is
 * @param warmUpS seconds before the measured part
 * @param settled whether the rate of the measured part has no trend that matters, and a large one is ruled out; if not, the run enters no figure that others do
 * @param trend of the rate in the measured part; null if it cannot be told, or in results of earlier versions
 * @param failed how often the engine told a source that a record had failed, which then sent it again: of Storm and JStorm with acks
 * @param cpuSPerMillion CPU time of all processes of the engine for a million records of the measured part; null if that is not known,
 *     and in results of earlier versions
 * @param allocatedBytesPerRecord as that of the cell
 * @param liveHeapMb heap in use after a collection while the sources still ran; null if that was not asked for
 * @param latencyHistogram of the measured part, in nanoseconds, as HdrHistogram compresses it, in base64; null without latencies or
 *     if the run is not valid
 * @param job of a user's own topology, from its start to its end; null of others, if the run failed, and in results of earlier versions
 * @param profile what was recorded of it; null if it was not profiled
 * @param recovery of a run in which a process was killed after the measured part; null of others, and in results of earlier versions
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
        @Nullable Trend trend,
        long sent,
        long received,
        long failed,

        @JsonProperty("cpu_s_per_million") @Nullable Double cpuSPerMillion,

        @Nullable Double allocatedBytesPerRecord,
        @Nullable Double liveHeapMb,
        @Nullable String latencyHistogram,
        @Nullable Job job,
        @Nullable Profile profile,
        @Nullable Recovery recovery,
        List<Second> series) {

    /** Of another workload than a user's own topology, not profiled, and without what it cost. */
    public RunResult(
            int turn,
            @Nullable Double recordsPerS,
            CellResult.@Nullable Latency latencyUs,
            @Nullable String reason,
            double warmUpS,
            double measuredS,
            boolean settled,
            @Nullable Trend trend,
            long sent,
            long received,
            @Nullable Double liveHeapMb,
            @Nullable String latencyHistogram,
            List<Second> series) {
        this(
                turn,
                recordsPerS,
                latencyUs,
                reason,
                warmUpS,
                measuredS,
                settled,
                trend,
                sent,
                received,
                0,
                null,
                null,
                liveHeapMb,
                latencyHistogram,
                null,
                null,
                null,
                series);
    }

    /** The same, but not valid. */
    public RunResult invalid(String why) {
        return new RunResult(
                turn,
                null,
                null,
                why,
                warmUpS,
                measuredS,
                settled,
                trend,
                sent,
                received,
                failed,
                cpuSPerMillion,
                allocatedBytesPerRecord,
                liveHeapMb,
                null,
                job,
                profile,
                recovery,
                series);
    }

    /**
     * A job as a whole, from when the engine is told to start it until it says that it has ended: of its JVM, which is fresh.
     *
     * @param outputs what came to each sink; empty if it wrote that itself
     */
    public record Job(double elapsedS, double cpuS, List<Output> outputs) {}

    /**
     * What the JDK Flight Recorder saw of a run.
     *
     * @param files in the folder that was named: a recording for each JVM, and a page with flame graphs
     * @param allocatedBytesPerRecord of the measured part, by the samples of the recordings; null if nothing was measured
     */
    public record Profile(List<String> files, @Nullable Double allocatedBytesPerRecord) {}

    /**
     * What became of a run in which a process was killed at full load.
     *
     * @param recoverySeconds from then until the sinks had the rate of the measured part again, as at least 90 % of it in three seconds
     *     in a row; null if that did not happen in time
     * @param silentSeconds the longest time meanwhile in which nothing came out
     * @param lost records that did not come out at all; null if that is not known, because the run failed
     * @param repeated how often one came out again; null likewise
     */
    public record Recovery(
            @Nullable Double recoverySeconds,
            double silentSeconds,
            @Nullable Long lost,
            @Nullable Long repeated) {}

    /**
     * What came to one sink.
     *
     * @param digest of the records, whatever their order
     */
    public record Output(String name, long records, String digest) {}

    /**
     * How much a rate changes from the beginning to the end of the measured part, of its median.
     *
     * @param low end of the 95 % confidence interval, likewise {@code high}
     */
    public record Trend(double percent, double low, double high) {}

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
