// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.report;

import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.RunResult;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Cells that write to Kafka or read from it, as Kafka's own tools print such a run: the one at the median, its measured part. */
final class KafkaTools {
    /** The columns of kafka-consumer-perf-test that the lab measures. */
    static final String CONSUMER_HEAD = "data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec";

    private static final double TOOLS_MB = 1024.0 * 1024;

    private KafkaTools() {}

    static boolean produces(CellResult cell) {
        return workload(cell).equals("produce");
    }

    static boolean consumes(CellResult cell) {
        return workload(cell).equals("consume");
    }

    /** Nothing if the cell has no figure. */
    static Optional<String> line(CellResult cell) {
        return cell.figure() == null ? Optional.empty() : medianRun(cell).map(run -> line(cell, run));
    }

    private static Optional<RunResult> medianRun(CellResult cell) {
        CellResult.Spread figure = cell.figure();
        return figure == null
                ? Optional.empty()
                : cell.runs().stream()
                        .filter(run -> run.recordsPerS() != null && (run.settled() || !cell.hasSettled()))
                        .min(Comparator.comparingDouble(run -> Math.abs(rate(run) - figure.median())));
    }

    private static String line(CellResult cell, RunResult run) {
        double rate = rate(run);
        long records = Math.round(rate * run.measuredS());
        double bytes = bytes(cell);
        if (consumes(cell)) {
            return String.format(
                    Locale.ROOT,
                    "%.4f, %.4f, %d, %.4f",
                    records * bytes / TOOLS_MB,
                    rate * bytes / TOOLS_MB,
                    records,
                    rate);
        }
        String sent = String.format(
                Locale.ROOT, "%d records sent, %.1f records/sec (%.2f MB/sec)", records, rate, rate * bytes / TOOLS_MB);
        CellResult.Latency latency = run.latencyUs() == null ? cell.latencyUs() : run.latencyUs();
        if (latency == null) {
            return sent + ", latencies not timed.";
        }
        return sent
                + String.format(
                        Locale.ROOT,
                        ", %.2f ms avg latency, %.2f ms max latency, %d ms 50th, %d ms 95th, %d ms 99th, %d ms 99.9th.",
                        latency.mean() / 1e3,
                        latency.max() / 1e3,
                        Math.round(latency.p50() / 1e3),
                        Math.round(latency.p95() / 1e3),
                        Math.round(latency.p99() / 1e3),
                        Math.round(latency.p999() / 1e3));
    }

    private static double bytes(CellResult cell) {
        CellResult.Spread figure = cell.figure();
        Double mbPerS = cell.mbPerS();
        return figure == null || mbPerS == null ? 0 : mbPerS * 1e6 / figure.median();
    }

    private static double rate(RunResult run) {
        Double rate = run.recordsPerS();
        return rate == null ? Double.NaN : rate;
    }

    private static String workload(CellResult cell) {
        return cell.settings().getOrDefault("workload", "").toLowerCase(Locale.ROOT);
    }
}
