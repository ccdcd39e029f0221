// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.embedded;

import static java.util.Comparator.naturalOrder;

import io.thalweg.doctor.observation.KafkaFetches;
import io.thalweg.doctor.observation.KafkaSends;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import jdk.jfr.consumer.RecordedEvent;

/** Adds up what Kafka's clients of operators told: of each, from the first time to the last. Not thread-safe. */
final class KafkaClients {
    private record Seen(RecordedEvent first, RecordedEvent last) {
        long grown(String figure) {
            return last.getLong(figure) - first.getLong(figure);
        }

        long observedNs() {
            return Duration.between(first.getStartTime(), last.getStartTime()).toNanos();
        }
    }

    private final Map<String, Map<Long, Seen>> consumers = new HashMap<>();
    private final Map<String, Map<Long, Seen>> producers = new HashMap<>();

    void addFetches(RecordedEvent event) {
        add(consumers, event);
    }

    void addSends(RecordedEvent event) {
        add(producers, event);
    }

    private static void add(Map<String, Map<Long, Seen>> operators, RecordedEvent event) {
        operators
                .computeIfAbsent(event.getString("operator"), name -> new LinkedHashMap<>())
                .merge(event.getLong("client"), new Seen(event, event), KafkaClients::both);
    }

    /** A recording is not in the order of time. */
    private static Seen both(Seen one, Seen other) {
        return new Seen(
                one.first().getStartTime().isAfter(other.first().getStartTime()) ? other.first() : one.first(),
                one.last().getStartTime().isAfter(other.last().getStartTime()) ? one.last() : other.last());
    }

    /** Of sources whose consumers told at least twice. */
    Map<String, KafkaFetches> fetches() {
        return byOperator(consumers, KafkaClients::fetches);
    }

    /** Of sinks whose producers told at least twice. */
    Map<String, KafkaSends> sends() {
        return byOperator(producers, KafkaClients::sends);
    }

    private static <T> Map<String, T> byOperator(
            Map<String, Map<Long, Seen>> operators, Function<List<Seen>, T> together) {
        Map<String, T> all = new HashMap<>();
        operators.forEach((operator, clients) -> {
            List<Seen> seen = new ArrayList<>(clients.values());
            seen.removeIf(each -> each.observedNs() == 0);
            if (!seen.isEmpty()) {
                all.put(operator, together.apply(seen));
            }
        });
        return all;
    }

    private static KafkaFetches fetches(List<Seen> seen) {
        RecordedEvent any = seen.get(0).last();
        return new KafkaFetches(
                seen.size(),
                observedNs(seen),
                sum(seen, "fetches"),
                sum(seen, "records"),
                sum(seen, "bytes"),
                sum(seen, "polls"),
                mean(seen, "latencyMs", "fetches"),
                mean(seen, "throttleMs", "fetches"),
                any.getLong("maxBytes"),
                any.getLong("maxPartitionBytes"),
                any.getLong("minBytes"),
                any.getLong("maxWaitMs"),
                any.getLong("maxPollRecords"));
    }

    private static KafkaSends sends(List<Seen> seen) {
        RecordedEvent any = seen.get(0).last();
        return new KafkaSends(
                seen.size(),
                observedNs(seen),
                sum(seen, "records"),
                sum(seen, "requests"),
                sum(seen, "bytes"),
                sum(seen, "bufferWaitNs"),
                sum(seen, "flushNs"),
                mean(seen, "batchBytes", "records"),
                mean(seen, "latencyMs", "requests"),
                mean(seen, "queueMs", "records"),
                mean(seen, "throttleMs", "requests"),
                any.getLong("batchSize"),
                any.getLong("lingerMs"),
                any.getString("compression"));
    }

    /** The time of all clients together. Where the job was restarted, some came after others: each is taken for all of the time. */
    private static long observedNs(List<Seen> seen) {
        Instant first = seen.stream()
                .map(each -> each.first().getStartTime())
                .min(naturalOrder())
                .orElseThrow();
        Instant last = seen.stream()
                .map(each -> each.last().getStartTime())
                .max(naturalOrder())
                .orElseThrow();
        return seen.size() * Duration.between(first, last).toNanos();
    }

    private static long sum(List<Seen> seen, String figure) {
        return seen.stream().mapToLong(each -> each.grown(figure)).sum();
    }

    /** Of the averages that clients have, by how much each did of what it is an average of. */
    private static double mean(List<Seen> seen, String average, String of) {
        double sum = seen.stream()
                .mapToDouble(each -> each.last().getDouble(average) * each.grown(of))
                .sum();
        return sum / Math.max(1, sum(seen, of));
    }
}
