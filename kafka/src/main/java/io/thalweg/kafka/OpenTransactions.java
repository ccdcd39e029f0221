// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.SourceContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Tells of partitions that stand still before a transaction that does not end, where the consumer waits without a word, and finds that
 * nothing is behind. For one thread.
 */
final class OpenTransactions {
    /** Longer than most may be open. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** @param behind at the last look there was something behind it */
    private record Place(long position, long sinceNs, boolean behind, boolean told) {}

    private final SourceSettings source;
    private final SourceContext context;
    private final boolean waits;
    private final Map<TopicPartition, Place> places = new HashMap<>();

    OpenTransactions(SourceSettings source, SourceContext context) {
        this.source = source;
        this.context = context;
        waits = "read_committed".equals(source.consumer().get(ConsumerConfig.ISOLATION_LEVEL_CONFIG));
    }

    /**
     * Looks; to be called about once a minute, while the cluster answers.
     *
     * @param positions of the partitions that are asked for messages
     */
    void look(long nowNs, Map<TopicPartition, Long> positions) throws InterruptedException {
        places.keySet().retainAll(positions.keySet());
        positions.forEach((partition, position) -> places.merge(
                partition,
                new Place(position, nowNs, false, false),
                (before, now) -> before.position == now.position ? before : now));
        List<TopicPartition> still = places.entrySet().stream()
                .filter(each -> waits && !each.getValue().told)
                .filter(each -> nowNs - each.getValue().sinceNs >= PATIENCE.toNanos())
                .map(Map.Entry::getKey)
                .toList();
        if (still.isEmpty()) {
            return;
        }
        try {
            TopicList.ofRunning(source.settings())
                    .ends(still)
                    .forEach((partition, end) ->
                            places.computeIfPresent(partition, (of, place) -> compared(of, place, end)));
        } catch (KafkaException | ConnectorException e) {
            // it is looked again
        }
    }

    /** What has just come is behind it for a moment, too. */
    private Place compared(TopicPartition partition, Place place, long end) {
        boolean behind = end > place.position;
        boolean told = behind && place.behind;
        if (told) {
            context.warn("topic " + partition.topic() + ", partition " + partition.partition() + " at "
                    + source.settings().servers() + ": the messages from offset " + place.position
                    + " on are not read, since a transaction has been open there for more than " + PATIENCE.toMinutes()
                    + " minutes; kafka-transactions.sh find-hanging says whether it will ever end, and abort ends it");
        }
        return new Place(place.position, place.sinceNs, behind, told);
    }
}
