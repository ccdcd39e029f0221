// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import io.thalweg.lab.driver.JvmFacts;
import io.thalweg.lab.driver.RunFolder;
import io.thalweg.lab.driver.Sample;
import io.thalweg.lab.result.CellResult.Latency;
import io.thalweg.lab.result.RunResult.Second;
import io.thalweg.lab.sample.ProcessSample;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.jspecify.annotations.Nullable;

/** The figures of the measured part of a run, with all latencies as a histogram, and the course of the whole run. */
record Measured(
        double recordsPerS,
        @Nullable Latency latencyUs,
        double cpuSPerMillion,
        @Nullable Double allocatedBytesPerRecord,
        long rssMb,
        long gcMs,
        @Nullable String histogram,
        List<JvmFacts> jvms,
        List<Second> series) {
    static final Measured NOTHING = new Measured(0, null, 0, null, 0, 0, null, List.of(), List.of());

    private static final double MB = 1e6;

    /** Of a second that stands in a series: CPU times are told in hundredths of one, and the look at the end of a run may come at any time. */
    private static final double SHORTEST_S = 0.5;

    /** @param allocations whether all JVMs that records go through have meters, which count what is allocated */
    static Measured of(
            Track track,
            RunFolder folder,
            List<ProcessSample> processes,
            List<Track.Point> points,
            long fromNs,
            long toNs,
            boolean allocations)
            throws IOException {
        List<Interval> intervals = intervals(folder);
        double rate = Track.rate(points, fromNs, toNs);
        Histogram latencies = between(intervals, fromNs, toNs);
        Sample from = track.at(fromNs);
        Sample to = track.at(toNs);
        double cpuS = (cpuMs(processes, toNs) - cpuMs(processes, fromNs)) / 1e3;
        double millions = rate * (toNs - fromNs) / 1e9 / 1e6;
        long rss = processes.stream()
                .filter(each -> each.timeNs() <= toNs)
                .mapToLong(ProcessSample::rssBytes)
                .max()
                .orElse(0);
        return new Measured(
                rate,
                latency(latencies),
                millions == 0 ? 0 : cpuS / millions,
                allocations ? allocatedPerRecord(from, to, rate) : null,
                rss >> 20,
                to.gcMs() - from.gcMs(),
                latencies.getTotalCount() == 0 ? null : base64(latencies),
                folder.jvms(),
                series(track, points, processes, intervals, fromNs, toNs));
    }

    /**
     * Of the time between two samples, which is that of the rate: a sample may come late. Null if nothing came out, or the JVM does not
     * count.
     */
    private static @Nullable Double allocatedPerRecord(Sample from, Sample to, double recordsPerS) {
        double records = recordsPerS * (to.timeNs() - from.timeNs()) / 1e9;
        return records <= 0 || to.allocatedBytes() < 0
                ? null
                : (Double) ((to.allocatedBytes() - from.allocatedBytes()) / records);
    }

    /** The same, if only this share of the records are counted. */
    Measured once(double share) {
        return share == 1
                ? this
                : new Measured(
                        recordsPerS * share,
                        latencyUs,
                        cpuSPerMillion / share,
                        allocatedBytesPerRecord == null ? null : (Double) (allocatedBytesPerRecord / share),
                        rssMb,
                        gcMs,
                        histogram,
                        jvms,
                        series);
    }

    private static List<Second> series(
            Track track,
            List<Track.Point> points,
            List<ProcessSample> processes,
            List<Interval> intervals,
            long fromNs,
            long toNs) {
        List<Second> series = new ArrayList<>();
        long first = points.get(0).timeNs();
        for (int i = 1; i < processes.size(); i++) {
            ProcessSample before = processes.get(i - 1);
            ProcessSample now = processes.get(i);
            double seconds = (now.timeNs() - before.timeNs()) / 1e9;
            if (now.timeNs() < first || seconds < SHORTEST_S) {
                continue;
            }
            Histogram latencies = between(intervals, before.timeNs(), now.timeNs());
            boolean timed = latencies.getTotalCount() > 0;
            Sample sampleBefore = track.at(before.timeNs());
            Sample sample = track.at(now.timeNs());
            double ticks = Math.max(1, now.allTicks() - before.allTicks());
            series.add(new Second(
                    (now.timeNs() - first) / 1e9,
                    now.timeNs() >= fromNs && now.timeNs() <= toNs,
                    (track.counted(sample) - track.counted(sampleBefore)) / seconds,
                    timed ? latencies.getValueAtPercentile(50) / 1e3 : null,
                    timed ? latencies.getValueAtPercentile(99) / 1e3 : null,
                    timed ? latencies.getMaxValue() / 1e3 : null,
                    (now.cpuMs() - before.cpuMs()) / 10 / seconds,
                    100 * (1 - (now.idleTicks() - before.idleTicks()) / ticks),
                    100 * (now.stealTicks() - before.stealTicks()) / ticks,
                    now.rssBytes() / (double) (1 << 20),
                    sample.heapBytes() / (double) (1 << 20),
                    (now.loopbackBytes() - before.loopbackBytes()) / MB,
                    sample.gcMs() - sampleBefore.gcMs(),
                    sample.longestGcMs(),
                    Math.max(
                            0,
                            now.contextSwitches()
                                    - before.contextSwitches()), // a thread that ends takes its count along
                    now.threads(),
                    now.load()));
        }
        return series;
    }

    private static double cpuMs(List<ProcessSample> samples, long timeNs) {
        ProcessSample before = null;
        for (ProcessSample each : samples) {
            if (each.timeNs() >= timeNs) {
                if (before == null) {
                    return each.cpuMs();
                }
                double part = (double) (timeNs - before.timeNs()) / (each.timeNs() - before.timeNs());
                return before.cpuMs() + part * (each.cpuMs() - before.cpuMs());
            }
            before = each;
        }
        return before == null ? 0 : before.cpuMs();
    }

    static @Nullable Latency latency(Histogram ns) {
        if (ns.getTotalCount() == 0) {
            return null;
        }
        return new Latency(
                ns.getMean() / 1e3,
                ns.getValueAtPercentile(50) / 1e3,
                ns.getValueAtPercentile(90) / 1e3,
                ns.getValueAtPercentile(95) / 1e3,
                ns.getValueAtPercentile(99) / 1e3,
                ns.getValueAtPercentile(99.9) / 1e3,
                ns.getValueAtPercentile(99.99) / 1e3,
                ns.getMaxValue() / 1e3);
    }

    private static String base64(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }

    /** Latencies that one JVM recorded in about a second; times on the clock of {@link System#nanoTime}. */
    private record Interval(long endNs, AbstractHistogram latencies) {}

    private static List<Interval> intervals(RunFolder folder) throws IOException {
        // Histogram logs carry wall-clock times.
        long offsetNs = System.nanoTime() - System.currentTimeMillis() * 1_000_000;
        List<Interval> intervals = new ArrayList<>();
        for (Path file : folder.files(RunFolder.LATENCIES)) {
            try (HistogramLogReader reader = new HistogramLogReader(file.toFile())) {
                EncodableHistogram next;
                while ((next = reader.nextIntervalHistogram()) != null) {
                    intervals.add(
                            new Interval(next.getEndTimeStamp() * 1_000_000 + offsetNs, (AbstractHistogram) next));
                }
            }
        }
        return intervals;
    }

    private static Histogram between(List<Interval> intervals, long fromNs, long toNs) {
        Histogram all = new Histogram(3);
        for (Interval each : intervals) {
            if (each.endNs() > fromNs && each.endNs() <= toNs) {
                all.add(each.latencies());
            }
        }
        return all;
    }
}
