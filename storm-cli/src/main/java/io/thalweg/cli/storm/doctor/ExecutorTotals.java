// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm.doctor;

import io.thalweg.doctor.observation.TaskSpan;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.BoltStats;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.SpoutStats;

/**
 * What an executor has counted since its worker was started. It tells Nimbus every
 * {@code executor.metrics.frequency.secs}, so these figures are of some time ago, but {@code uptime} is of the same time.
 *
 * @param component of its tasks
 * @param index among the executors of the component
 * @param worker that it runs in; empty if it was assigned to none
 * @param uptime seconds since its worker was started; 0 if it has told nothing
 * @param in tuples that a bolt executed or a spout emitted, without those of Storm's own streams
 * @param out tuples that it sent, counted for each task that they went to
 * @param busyMs in which a bolt executed tuples; 0 for a spout, for Storm does not tell
 * @param acked tuples
 * @param failed tuples
 * @param completeMs of all tuples that were acked, together: from when a spout emitted them, or a bolt was given them
 * @param from tuples that it executed, by the component that emitted them
 */
record ExecutorTotals(
        String component,
        int index,
        String worker,
        long uptime,
        long in,
        long out,
        double busyMs,
        long acked,
        long failed,
        double completeMs,
        Map<String, Long> from) {
    private static final String ALL_TIME = ":all-time";
    private static final String SYSTEM = "__";
    private static final double NS_PER_MS = 1e6;
    private static final long NS_PER_SECOND = 1_000_000_000;

    /** @param index among the executors of its component */
    static ExecutorTotals of(ExecutorSummary told, int index) {
        String component = told.get_component_id();
        String host = told.get_host();
        String worker = host == null || told.get_port() <= 0 ? "" : host + ":" + told.get_port();
        ExecutorStats stats = told.get_stats();
        if (stats == null || told.get_uptime_secs() <= 0) {
            return new ExecutorTotals(component, index, worker, 0, 0, 0, 0, 0, 0, 0, Map.of());
        }
        long out = ofUsers(allTime(stats.get_transferred()));
        if (stats.get_specific().is_set_spout()) {
            SpoutStats spout = stats.get_specific().get_spout();
            Map<String, Long> acked = allTime(spout.get_acked());
            return new ExecutorTotals(
                    component,
                    index,
                    worker,
                    told.get_uptime_secs(),
                    ofUsers(allTime(stats.get_emitted())),
                    out,
                    0,
                    sum(acked),
                    sum(allTime(spout.get_failed())),
                    product(acked, allTime(spout.get_complete_ms_avg())),
                    Map.of());
        }
        BoltStats bolt = stats.get_specific().get_bolt();
        Map<GlobalStreamId, Long> executed = allTime(bolt.get_executed());
        Map<String, Long> from = new HashMap<>();
        executed.forEach((stream, count) -> {
            if (!isSystem(stream.get_componentId())) {
                from.merge(stream.get_componentId(), count, Long::sum);
            }
        });
        return new ExecutorTotals(
                component,
                index,
                worker,
                told.get_uptime_secs(),
                sum(from),
                out,
                product(executed, allTime(bolt.get_execute_ms_avg())),
                ofComponents(allTime(bolt.get_acked())),
                ofComponents(allTime(bolt.get_failed())),
                product(allTime(bolt.get_acked()), allTime(bolt.get_process_ms_avg())),
                from);
    }

    static boolean isSystem(String name) {
        return name.startsWith(SYSTEM);
    }

    private static <K, V> Map<K, V> allTime(Map<String, Map<K, V>> windows) {
        return windows == null ? Map.of() : windows.getOrDefault(ALL_TIME, Map.of());
    }

    private static long ofUsers(Map<String, Long> byStream) {
        return byStream.entrySet().stream()
                .filter(each -> !isSystem(each.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private static long ofComponents(Map<GlobalStreamId, Long> byStream) {
        return byStream.entrySet().stream()
                .filter(each -> !isSystem(each.getKey().get_componentId()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private static long sum(Map<?, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Counts times means; Storm's mean of nothing is no number. */
    private static <K> double product(Map<K, Long> counts, Map<K, Double> means) {
        double product = 0;
        for (Map.Entry<K, Long> each : counts.entrySet()) {
            double mean = means.getOrDefault(each.getKey(), 0.0);
            product += Double.isFinite(mean) && mean > 0 ? mean * each.getValue() : 0;
        }
        return product;
    }

    String name() {
        return component + "[" + index + "]";
    }

    boolean hasTold() {
        return uptime > 0;
    }

    /** It is another one than before, in a worker that was started since. */
    boolean wasRestartedAfter(ExecutorTotals before) {
        return !worker.equals(before.worker) || uptime < before.uptime;
    }

    /** Since an earlier look, or since it was started again after that. */
    ExecutorTotals since(ExecutorTotals before) {
        if (wasRestartedAfter(before)) {
            return this;
        }
        Map<String, Long> received = new HashMap<>();
        from.forEach((other, count) -> received.put(other, Math.max(0, count - before.from.getOrDefault(other, 0L))));
        return new ExecutorTotals(
                component,
                index,
                worker,
                uptime - before.uptime,
                Math.max(0, in - before.in),
                Math.max(0, out - before.out),
                Math.max(0, busyMs - before.busyMs),
                Math.max(0, acked - before.acked),
                Math.max(0, failed - before.failed),
                Math.max(0, completeMs - before.completeMs),
                received);
    }

    /** As much of a span as was counted, as if it had been counted over all of it. */
    TaskSpan over(double factor, boolean source) {
        double countedNs = (double) uptime * NS_PER_SECOND;
        double busyNs = Math.min(countedNs, busyMs * NS_PER_MS);
        return new TaskSpan(
                name(),
                List.of(component),
                index,
                worker,
                Math.round(in * factor),
                Math.round(out * factor),
                null,
                0,
                0,
                Math.round(busyNs * factor),
                source ? 0 : Math.round((countedNs - busyNs) * factor),
                0,
                null,
                null,
                0,
                null,
                null,
                null,
                null,
                null,
                null);
    }
}
