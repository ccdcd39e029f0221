// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.stats.InputStats;
import io.thalweg.api.stats.SplitLag;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;

/** How far the task is behind the ends of its partitions: what the brokers still have, and what was fetched and waits. */
final class Lag {
    /** {@link #measure} is told this of a partition whose end is not known yet. */
    static final long UNKNOWN = -1;

    private final Map<TopicPartition, Deque<KafkaBatch<?>>> fetched = new LinkedHashMap<>();

    /** Begins with a partition. */
    void add(TopicPartition partition) {
        fetched.computeIfAbsent(partition, unused -> new ArrayDeque<>());
    }

    /** A batch that is handed to the task. */
    void add(TopicPartition partition, KafkaBatch<?> batch) {
        Deque<KafkaBatch<?>> before = fetched.computeIfAbsent(partition, unused -> new ArrayDeque<>());
        release(before);
        before.add(batch);
    }

    private static void release(Deque<KafkaBatch<?>> batches) {
        while (!batches.isEmpty() && batches.getFirst().waiting() == 0) {
            batches.removeFirst();
        }
    }

    /** @param behind messages that the brokers still have of a partition */
    InputStats measure(ToLongFunction<TopicPartition> behind, Map<MetricName, ? extends Metric> metrics) {
        List<SplitLag> splits = new ArrayList<>();
        fetched.forEach((partition, batches) -> {
            release(batches);
            long there = behind.applyAsLong(partition);
            if (there != UNKNOWN) {
                long waiting = batches.stream().mapToLong(KafkaBatch::waiting).sum();
                splits.add(new SplitLag(partition.toString(), there + waiting));
            }
        });
        return InputStats.of(
                splits,
                (long) ClientMetrics.of(metrics, "bytes-consumed-total"),
                ClientMetrics.of(metrics, "fetch-latency-avg"),
                ClientMetrics.of(metrics, "commit-latency-avg"));
    }
}
