// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Suggestion;
import io.thalweg.cli.UsageException;
import io.thalweg.kafka.KafkaCluster;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code thalweg kafka lag GROUP}: how far a group is behind. */
@Command(
        name = "lag",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description = "Shows how far a consumer group is behind, for each partition that it has committed.",
        footer = {"", "Exit codes: 0 done, 1 it did not work, 2 the command line is wrong."})
final class LagCommand extends ClusterCommand {
    private static final String FORMAT = "%-32s %10s %14s %14s %14s%n";

    /** Where a partition ends that is no more. */
    private static final long GONE = -1;

    @Parameters(paramLabel = "GROUP", description = "as in KafkaSource.group(…), or of any consumer")
    private String group = "";

    @Override
    String what() {
        return "read the offsets of group " + group;
    }

    @Override
    void run(KafkaCluster cluster, AnswerWatch watch) throws ExecutionException, InterruptedException {
        if (group.isBlank()) {
            throw new UsageException("the name of the group is empty");
        }
        try (Admin admin = cluster.admin()) {
            Map<TopicPartition, OffsetAndMetadata> committed = new TreeMap<>(
                    Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition));
            admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .forEach((partition, offset) -> {
                        if (offset != null) {
                            committed.put(partition, offset);
                        }
                    });
            if (committed.isEmpty()) {
                throw new ConnectorException(
                        "group " + group + " has committed no offsets at " + cluster.servers() + others(admin));
            }
            print(admin, committed, watch);
        }
    }

    private String others(Admin admin) throws ExecutionException, InterruptedException {
        Collection<String> all = admin.listGroups().all().get().stream()
                .map(each -> each.groupId())
                .sorted()
                .toList();
        String nearest = Suggestion.of(group, all);
        if (!nearest.isEmpty()) {
            return nearest;
        }
        return all.isEmpty() ? "; there are no groups" : "; there are " + String.join(", ", all);
    }

    private static void print(Admin admin, Map<TopicPartition, OffsetAndMetadata> committed, AnswerWatch watch)
            throws ExecutionException, InterruptedException {
        System.out.printf(FORMAT, "TOPIC", "PARTITION", "COMMITTED", "END", "LAG");
        long total = 0;
        for (Map.Entry<TopicPartition, OffsetAndMetadata> each : committed.entrySet()) {
            TopicPartition partition = each.getKey();
            long offset = each.getValue().offset();
            watch.heard();
            long end = end(admin, partition);
            long lag = end == GONE ? 0 : Math.max(0, end - offset);
            total += lag;
            System.out.printf(
                    FORMAT,
                    partition.topic(),
                    partition.partition(),
                    offset,
                    end == GONE ? "gone" : end,
                    end == GONE ? "-" : lag);
        }
        System.out.printf(FORMAT, "total", "", "", "", total);
    }

    private static long end(Admin admin, TopicPartition partition) throws ExecutionException, InterruptedException {
        try {
            ListOffsetsResult ends = admin.listOffsets(Map.of(partition, OffsetSpec.latest()));
            return ends.partitionResult(partition).get().offset();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return GONE;
            }
            throw e;
        }
    }
}
