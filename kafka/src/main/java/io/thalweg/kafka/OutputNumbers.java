// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.ConnectorException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsResult;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of the last transactions that outputs have committed. Each is the offset of a consumer group with the
 * output's name and
 * is committed by the transaction itself, so it shows whether the transaction of a dead producer was committed.
 */
final class OutputNumbers implements AutoCloseable {
    private static final long LOOK_AGAIN_MS = 50;

    /** Of what all brokers are asked for. */
    private static final int MOST_TRIES = 5;

    private final Failures failures;
    private final Duration connectTimeout;
    private final Admin admin;

    OutputNumbers(ClientSettings settings) {
        failures = new Failures(settings);
        connectTimeout = settings.connectTimeout();
        admin = new TopicList(settings).admin();
    }

    /**
     * The state of an output.
     *
     * @param number of the last transaction; 0 before the first
     * @param lineage id of the first run in the chain of restores that led to this one
     * @param run which run began the output
     */
    record Entry(long number, String lineage, String run) {
        private static final String BETWEEN = "\n";

        String metadata() {
            return lineage + BETWEEN + run;
        }

        static Entry of(OffsetAndMetadata offset) {
            String metadata = offset.metadata();
            int at = metadata.indexOf(BETWEEN);
            return at < 0
                    ? new Entry(offset.offset(), "", metadata)
                    : new Entry(offset.offset(), metadata.substring(0, at), metadata.substring(at + BETWEEN.length()));
        }
    }

    /** The partition under whose offset a group stores the number: groups store only offsets of partitions. */
    static TopicPartition place(String topic) {
        return new TopicPartition(topic, 0);
    }

    /**
     * Null if there is none. The producers that set it must have been fenced.
     *
     * @throws ConnectorException if a transaction takes too long to end
     */
    @Nullable Entry of(String group, String topic) throws InterruptedException {
        long looks = connectTimeout.toMillis() / LOOK_AGAIN_MS;
        while (true) {
            Entry entry = entries(List.of(group), topic, true).get(group);
            if (entry != null || entries(List.of(group), topic, false).isEmpty()) {
                return entry;
            }
            if (looks-- <= 0) { // Kafka's client omits offsets with a pending transaction
                throw new ConnectorException("cannot read the offset of group " + group
                        + ": a transaction that sets it does not end, although its producer was fenced. Brokers of"
                        + " Kafka 4.3 and 4.4 can lose the end of a transaction while a partition has no leader"
                        + " (KAFKA-20734). Abort it with kafka-transactions.sh, in __consumer_offsets and in topic "
                        + topic + ", and start the job again: it sends the transaction's messages once more");
            }
            Time.SYSTEM.sleep(LOOK_AGAIN_MS);
        }
    }

    /**
     * Waits until no transaction of an output is open in the topic. The producers must have been fenced.
     *
     * @throws ConnectorException if one takes too long to end: nobody who reads what is committed would get further
     */
    void awaitEnded(OutputName name, String topic) throws InterruptedException {
        long looks = connectTimeout.toMillis() / LOOK_AGAIN_MS;
        Map<TopicPartition, Long> open = open(name, topic);
        while (!open.isEmpty() && looks-- > 0) {
            Time.SYSTEM.sleep(LOOK_AGAIN_MS);
            open = open(name, topic);
        }
        if (!open.isEmpty()) {
            String places = open.entrySet().stream()
                    .map(each -> each.getKey().partition() + " from offset " + each.getValue() + " on")
                    .sorted()
                    .collect(Collectors.joining(", "));
            throw new ConnectorException("a transaction of the transactional ids " + name
                    + "-… does not end, although its producer was fenced: in topic " + topic + ", partition " + places
                    + ". Brokers of Kafka 4.3 and 4.4 can lose the end of a transaction while a partition has no leader"
                    + " (KAFKA-20734). Whoever reads what is committed waits there until kafka-transactions.sh aborts it;"
                    + " its messages in these partitions are lost then, also if other partitions have theirs");
        }
    }

    /** Where a transaction of an output is open, and its first offset. */
    private Map<TopicPartition, Long> open(OutputName name, String topic) throws InterruptedException {
        Set<Long> producers = producers(name);
        if (producers.isEmpty()) {
            return Map.of();
        }
        Map<TopicPartition, Long> open = new HashMap<>();
        try {
            List<TopicPartition> partitions =
                    admin.describeTopics(List.of(topic)).allTopicNames().get().values().stream()
                            .flatMap(each -> each.partitions().stream())
                            .map(each -> new TopicPartition(topic, each.partition()))
                            .toList();
            admin.describeProducers(partitions)
                    .all()
                    .get()
                    .forEach((partition, state) -> state.activeProducers().stream()
                            .filter(each -> producers.contains(each.producerId()))
                            .filter(each -> each.currentTransactionStartOffset().isPresent())
                            .forEach(each -> open.put(
                                    partition,
                                    each.currentTransactionStartOffset().getAsLong())));
        } catch (ExecutionException e) {
            throw failures.of("look for open transactions in topic " + topic, e);
        }
        return open;
    }

    private Set<Long> producers(OutputName name) throws InterruptedException {
        Set<Long> producers = new HashSet<>();
        for (String id : name.transactionalIds()) {
            try {
                producers.add(admin.describeTransactions(List.of(id))
                        .description(id)
                        .get()
                        .producerId());
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof TransactionalIdNotFoundException)) {
                    throw failures.of("read the state of transactional id " + id, e);
                }
            }
        }
        return producers;
    }

    /**
     * The states of all outputs whose transactional ids have this prefix, if they have a number. Changes of a pending
     * transaction are not
     * included.
     */
    Map<OutputName, Entry> under(String prefix, String topic) throws InterruptedException {
        Map<String, OutputName> names = names(prefix).stream().collect(Collectors.toMap(OutputName::toString, n -> n));
        Map<OutputName, Entry> found = new HashMap<>();
        entries(names.keySet(), topic, false)
                .forEach((name, entry) -> found.put(Objects.requireNonNull(names.get(name)), entry));
        return found;
    }

    private Set<OutputName> names(String prefix) throws InterruptedException {
        for (int tries = 1; true; tries++) {
            try {
                return admin.listTransactions().all().get().stream()
                        .map(listing -> OutputName.ofId(listing.transactionalId(), prefix))
                        .filter(Objects::nonNull)
                        .collect(Collectors.toSet());
            } catch (ExecutionException e) {
                // Kafka's client asks all brokers, and takes it for a mistake if one goes meanwhile.
                boolean another = e.getCause() instanceof IllegalArgumentException && tries < MOST_TRIES;
                if (!another) {
                    throw failures.of("list transactional ids", e);
                }
            }
        }
    }

    private Map<String, Entry> entries(Collection<String> groups, String topic, boolean stable)
            throws InterruptedException {
        if (groups.isEmpty()) {
            return Map.of();
        }
        Map<String, ListConsumerGroupOffsetsSpec> wanted = new HashMap<>();
        groups.forEach(
                group -> wanted.put(group, new ListConsumerGroupOffsetsSpec().topicPartitions(List.of(place(topic)))));
        ListConsumerGroupOffsetsResult answer =
                admin.listConsumerGroupOffsets(wanted, new ListConsumerGroupOffsetsOptions().requireStable(stable));
        Map<String, Entry> entries = new HashMap<>();
        for (String group : groups) {
            try {
                OffsetAndMetadata offset =
                        answer.partitionsToOffsetAndMetadata(group).get().get(place(topic));
                if (offset != null) {
                    entries.put(group, Entry.of(offset));
                }
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof GroupIdNotFoundException)) {
                    throw failures.of("read the offset of group " + group, e);
                }
            }
        }
        return entries;
    }

    @Override
    public void close() {
        admin.close();
    }
}
