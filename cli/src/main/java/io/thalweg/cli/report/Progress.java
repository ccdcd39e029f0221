// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.report;

import io.thalweg.api.stats.ConnectionStats;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.LatencyStats;
import io.thalweg.api.stats.TaskStats;
import io.thalweg.run.PlainText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns measurements, taken a few times a second, into what is told while a job runs: rates of the last second. */
final class Progress {
    private static final long WINDOW_NS = 1_000_000_000;
    private static final int RATE_WIDTH = 10;

    private final ArrayDeque<JobStats> recent = new ArrayDeque<>();

    /**
     * Takes the newest measurements; rates span the last second, or all of the time there was since the job was last started.
     *
     * @return whether it was started again since the measurements before
     */
    boolean add(JobStats stats) {
        JobStats before = recent.peekLast();
        boolean again = before != null && stats.elapsedNs() < before.elapsedNs();
        if (again) {
            recent.clear();
        }
        recent.addLast(stats);
        while (recent.size() > 2 && second().elapsedNs() <= stats.elapsedNs() - WINDOW_NS) {
            recent.removeFirst();
        }
        return again;
    }

    /** Two lines for a terminal. */
    List<String> lines(Style style) {
        JobStats now = recent.getLast();
        String flow = style.strong(padded(rateIn()))
                + style.faint(" in ")
                + style.strong(padded(rateOut()))
                + style.faint(" out   latency ")
                + latency(now);
        StringBuilder work = new StringBuilder(style.faint("  total ")).append(totals(now));
        if (now.hasLag()) {
            work.append(style.faint("   lag ")).append(Quantities.count(now.lag()));
        }
        String busiest = busiest();
        if (!busiest.isEmpty()) {
            work.append(style.faint("   busiest ")).append(busiest);
        }
        for (String trouble : troubles(now)) {
            work.append("   ").append(style.warning(trouble));
        }
        return List.of(flow + style.faint("   elapsed ") + Quantities.elapsed(now.elapsedNs()), work.toString());
    }

    /** One line for a log. */
    String line() {
        JobStats now = recent.getLast();
        List<String> parts = new ArrayList<>();
        parts.add(totals(now));
        parts.add(rateIn() + " in");
        parts.add(rateOut() + " out");
        parts.add("latency " + latency(now));
        if (now.hasLag()) {
            parts.add("lag " + Quantities.count(now.lag()));
        }
        String busiest = busiest();
        if (!busiest.isEmpty()) {
            parts.add("busiest " + busiest);
        }
        parts.addAll(troubles(now));
        return "after " + Quantities.elapsed(now.elapsedNs()) + ": " + String.join(", ", parts);
    }

    static List<String> troubles(JobStats stats) {
        List<String> troubles = new ArrayList<>();
        for (ConnectionStats each : stats.connections()) {
            if (each.isLost()) {
                troubles.add("waits for " + Quantities.lost(each));
            }
        }
        if (stats.recordsBad() > 0) {
            troubles.add(Quantities.count(stats.recordsBad()) + " bad");
        }
        if (stats.recordsLate() > 0) {
            troubles.add(Quantities.count(stats.recordsLate()) + " late");
        }
        return troubles;
    }

    static String latency(JobStats stats) {
        return latency(stats.latency());
    }

    static String latency(LatencyStats latency) {
        return latency.samples() == 0
                ? "-"
                : "p50 " + Quantities.micros(latency.p50Us()) + " p99 " + Quantities.micros(latency.p99Us());
    }

    private static String totals(JobStats stats) {
        return Quantities.count(stats.recordsIn()) + " in " + Quantities.count(stats.recordsOut()) + " out";
    }

    private String rateIn() {
        JobStats then = then();
        return Quantities.rate(recent.getLast().recordsIn() - (then == null ? 0 : then.recordsIn()), spanNs());
    }

    private String rateOut() {
        JobStats then = then();
        return Quantities.rate(recent.getLast().recordsOut() - (then == null ? 0 : then.recordsOut()), spanNs());
    }

    /** {@code source+map[0] 98 %}: the task that was busy for most of the time; empty if none was. */
    private String busiest() {
        JobStats then = then();
        Map<String, Long> before = new HashMap<>();
        if (then != null) {
            then.tasks().forEach(task -> before.put(task.task(), task.busyNs()));
        }
        String busiest = "";
        long mostNs = 0;
        for (TaskStats task : recent.getLast().tasks()) {
            long busyNs = task.busyNs() - before.getOrDefault(task.task(), 0L);
            if (busyNs > mostNs) {
                mostNs = busyNs;
                busiest = PlainText.line(task.task());
            }
        }
        return busiest.isEmpty() ? "" : busiest + " " + Quantities.share(mostNs, spanNs());
    }

    /** Numbers that change a few times a second do not make what follows them jump. */
    private static String padded(String rate) {
        return " ".repeat(Math.max(0, RATE_WIDTH - rate.length())) + rate;
    }

    private long spanNs() {
        JobStats then = then();
        return recent.getLast().elapsedNs() - (then == null ? 0 : then.elapsedNs());
    }

    private @Nullable JobStats then() {
        return recent.size() < 2 ? null : recent.getFirst();
    }

    private JobStats second() {
        var each = recent.iterator();
        each.next();
        return each.next();
    }
}
