// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.storm.generated.BoltStats;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorSpecificStats;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.SpoutStats;
import org.apache.storm.generated.TopologyInfo;

/** A topology as Storm's Nimbus tells of it: what its executors did, by window of time and stream. */
final class NimbusView {
    /** What is known since the beginning; and of a window that is longer than that, it is the same. */
    private static final String ALL_TIME = ":all-time";

    private static final List<Integer> WINDOWS_SECS = List.of(600, 10_800, 86_400);

    /** Of an executor, which Storm wants to be somewhere. */
    private static final String HOST = "localhost";

    private static final int MS_PER_SECOND = 1_000;

    private final Layout layout;
    private final List<String> windows = new ArrayList<>(List.of(ALL_TIME));
    private final int uptimeSecs;

    private NimbusView(Layout layout, int uptimeSecs) {
        this.layout = layout;
        this.uptimeSecs = uptimeSecs;
        WINDOWS_SECS.stream().filter(secs -> uptimeSecs < secs).forEach(secs -> windows.add(String.valueOf(secs)));
    }

    /**
     * @param status in the words of Storm
     * @param counts of each component's executors; without those of a component its executors have no stats
     */
    static TopologyInfo of(String id, Layout layout, String status, long uptimeNs, Map<String, List<Counts>> counts) {
        return new NimbusView(layout, (int) (uptimeNs / Host.NS_PER_S)).info(id, status, counts);
    }

    private TopologyInfo info(String id, String status, Map<String, List<Counts>> counts) {
        List<ExecutorSummary> executors = new ArrayList<>();
        Map<String, List<ErrorInfo>> errors = new HashMap<>();
        for (Layout.Component component : layout.components.values()) {
            List<Counts> its = counts.getOrDefault(component.id(), List.of());
            for (int i = 0; i < component.executors().size(); i++) {
                List<Integer> tasks = component.executors().get(i);
                ExecutorSummary summary = new ExecutorSummary(
                        new ExecutorInfo(tasks.get(0), tasks.get(tasks.size() - 1)),
                        component.id(),
                        HOST,
                        Host.PORT,
                        uptimeSecs);
                if (i < its.size()) {
                    summary.set_stats(component.spout() ? spout(its.get(i)) : bolt(its.get(i)));
                }
                executors.add(summary);
            }
            errors.put(component.id(), errors(its));
        }
        return new TopologyInfo(id, layout.name, uptimeSecs, executors, status, errors);
    }

    /** The newest first, as with Storm. */
    private static List<ErrorInfo> errors(List<Counts> executors) {
        List<ErrorInfo> errors = new ArrayList<>();
        executors.stream()
                .flatMap(each -> each.errors().stream())
                .sorted(Comparator.comparingLong(Counts.ReportedError::epochMs).reversed())
                .limit(Counts.MOST_ERRORS)
                .forEach(each -> {
                    ErrorInfo error = new ErrorInfo(each.stackTrace(), (int) (each.epochMs() / MS_PER_SECOND));
                    error.set_host(HOST);
                    error.set_port(Host.PORT);
                    errors.add(error);
                });
        return errors;
    }

    private ExecutorStats spout(Counts counts) {
        SpoutStats stats = new SpoutStats(
                sent(counts, each -> each.acked),
                sent(counts, each -> each.failed),
                inWindows(means(counts.sent().stream(), each -> each.stream, each -> each.complete)));
        return stats(counts, ExecutorSpecificStats.spout(stats));
    }

    private ExecutorStats bolt(Counts counts) {
        BoltStats stats = new BoltStats(
                received(counts, each -> each.acked),
                received(counts, each -> each.failed),
                means(counts, each -> each.process),
                received(counts, each -> each.executed),
                means(counts, each -> each.execute));
        return stats(counts, ExecutorSpecificStats.bolt(stats));
    }

    private ExecutorStats stats(Counts counts, ExecutorSpecificStats specific) {
        return new ExecutorStats(
                sent(counts, each -> each.emitted), sent(counts, each -> each.transferred), specific, counts.rate);
    }

    private Map<String, Map<String, Long>> sent(Counts counts, Function<Counts.Sent, OwnedCounter> counter) {
        return inWindows(counts(counts.sent().stream(), each -> each.stream, counter));
    }

    private Map<String, Map<GlobalStreamId, Long>> received(
            Counts counts, Function<Counts.Received, OwnedCounter> counter) {
        return inWindows(counts(counts.received().stream(), each -> each.from, counter));
    }

    private Map<String, Map<GlobalStreamId, Double>> means(Counts counts, Function<Counts.Received, Mean> mean) {
        return inWindows(means(counts.received().stream(), each -> each.from, mean));
    }

    /** As with Storm, without streams of which nothing was counted. */
    private static <S, K> Map<K, Long> counts(
            Stream<S> streams, Function<S, K> name, Function<S, OwnedCounter> counter) {
        Map<K, Long> all = new LinkedHashMap<>();
        streams.forEach(each -> {
            long count = counter.apply(each).sum();
            if (count > 0) {
                all.put(name.apply(each), count);
            }
        });
        return all;
    }

    private static <S, K> Map<K, Double> means(Stream<S> streams, Function<S, K> name, Function<S, Mean> mean) {
        Map<K, Double> all = new LinkedHashMap<>();
        streams.filter(each -> mean.apply(each).isKnown())
                .forEach(each -> all.put(name.apply(each), mean.apply(each).ms()));
        return all;
    }

    /** As with Storm, none if nothing was counted. */
    private <K, V> Map<String, Map<K, V>> inWindows(Map<K, V> counts) {
        Map<String, Map<K, V>> all = new TreeMap<>();
        if (!counts.isEmpty()) {
            windows.forEach(window -> all.put(window, new HashMap<>(counts)));
        }
        return all;
    }
}
