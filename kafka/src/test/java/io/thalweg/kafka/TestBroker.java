// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.broker.BrokerSetup;
import io.thalweg.broker.TrialBroker;
import io.thalweg.testkit.FoldersInMemory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A real broker, or three, started for the first test that needs it and stopped with the tests' JVM; each test has topics of its own. */
public final class TestBroker implements AutoCloseable {
    /** A transaction may be open for five minutes, its marker comes soon; some ten minutes at least. */
    private static final int MARKER_LOOKS = 120_000;

    private static final int MARKER_LOOK_NS = 5_000_000;

    /** By default clients give up after one or two minutes, which a busy machine may need to start a broker again. */
    private static final int PATIENCE_MS = 1_200_000;

    /** It looks for transactions that have timed out every 10 s unless told otherwise. */
    private static final BrokerSetup SETUP =
            BrokerSetup.single().with("transaction.abort.timed.out.transaction.cleanup.interval.ms", "200");

    /** One that is not started again, which would wait for that: a busy machine may leave it no time to answer its controller. */
    private static final BrokerSetup STEADY = SETUP.with("broker.session.timeout.ms", "60000");

    private static final AtomicInteger TOPICS = new AtomicInteger();

    private final TrialBroker broker;
    private final int brokers;
    private final Path folder;
    private final Admin admin;
    private final KafkaProducer<byte[], byte[]> producer;

    /** Why the first message has not arrived that has not. */
    private final AtomicReference<Exception> unsent = new AtomicReference<>();

    private TestBroker(TrialBroker broker, int brokers, Path folder) {
        this.broker = broker;
        this.brokers = brokers;
        this.folder = folder;
        admin = patientAdmin(broker.address());
        producer = patientProducer(broker.address());
    }

    /** One that waits for brokers as long as a busy machine may need. */
    static Admin patientAdmin(String servers) {
        return Admin.create(Map.of(
                "bootstrap.servers", servers, "default.api.timeout.ms", PATIENCE_MS, "request.timeout.ms", 120_000));
    }

    /** As {@link #patientAdmin}. */
    static KafkaProducer<byte[], byte[]> patientProducer(String servers) {
        return new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers", servers,
                        "max.block.ms", PATIENCE_MS,
                        "delivery.timeout.ms", PATIENCE_MS),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /** As {@link #patientAdmin}. */
    static KafkaConsumer<byte[], byte[]> patientConsumer(String servers, String isolation) {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers", servers,
                        "isolation.level", isolation,
                        "default.api.timeout.ms", PATIENCE_MS),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    private static final class Shared {
        static final TestBroker BROKER = begin();

        static TestBroker begin() {
            TestBroker started = start(STEADY);
            Runtime.getRuntime().addShutdownHook(new Thread(started::close));
            return started;
        }
    }

    /** True for what is told only where a broker takes seconds to answer, as any does on a machine that is busy enough. */
    static boolean isOfABusyMachine(String line) {
        return line.matches(".*: Kafka at \\S+ is (not available|available again).*");
    }

    /** The one that all tests share, which none may stop. */
    public static TestBroker shared() {
        return Shared.BROKER;
    }

    /** One that a test may stop. */
    static TestBroker start() {
        return start(1);
    }

    /** The same, or three of them: then each topic has all its messages on each, and takes none that two have not got. */
    static TestBroker start(int brokers) {
        return start(SETUP.withBrokers(brokers));
    }

    private static TestBroker start(BrokerSetup setup) {
        try {
            Path folder = FoldersInMemory.create(); // a broker forces each change of its topics to the disk
            return new TestBroker(TrialBroker.start(folder, setup), setup.brokers(), folder);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public String address() {
        return broker.address();
    }

    TrialBroker process() {
        return broker;
    }

    /** How many there are. */
    int brokers() {
        return brokers;
    }

    Admin admin() {
        return admin;
    }

    /** A new topic. */
    public String topic(int partitions) throws Exception {
        return topic("topic-" + TOPICS.incrementAndGet(), partitions);
    }

    String topic(String name, int partitions) throws Exception {
        create(new NewTopic(name, Optional.of(partitions), Optional.empty()));
        awaitLeaders(name, partitions);
        return name;
    }

    private void create(NewTopic topic) throws Exception {
        unlessFenced(() -> admin.createTopics(List.of(topic)).all().get());
    }

    /** A broker that had no time to answer the controller for a while is fenced, which it is not for long. */
    private static void unlessFenced(Callable<?> change) throws Exception {
        while (true) {
            try {
                change.call();
                return;
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof InvalidReplicationFactorException)) {
                    throw e;
                }
            }
        }
    }

    private void awaitLeaders(String topic, int partitions) throws Exception {
        boolean ready = false;
        while (!ready) {
            try {
                for (int partition = 0; partition < partitions; partition++) {
                    end(topic, partition);
                }
                ready = true;
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof RetriableException)) {
                    throw e;
                }
            }
        }
    }

    /** Until each broker has all messages, so that one may be lost. */
    void awaitInSync() throws Exception {
        while (!isInSync()) {
            LockSupport.parkNanos(MARKER_LOOK_NS);
        }
    }

    private boolean isInSync() throws Exception {
        Set<String> topics = admin.listTopics(new ListTopicsOptions().listInternal(true))
                .names()
                .get();
        return admin.describeTopics(topics).allTopicNames().get().values().stream()
                .flatMap(each -> each.partitions().stream())
                .allMatch(each -> each.isr().size() == each.replicas().size());
    }

    void delete(String topic) throws Exception {
        admin.deleteTopics(List.of(topic)).all().get();
        while (admin.listTopics().names().get().contains(topic)) {
            Thread.onSpinWait();
        }
    }

    void grow(String topic, int partitions) throws Exception {
        unlessFenced(() -> admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions)))
                .all()
                .get());
        awaitLeaders(topic, partitions);
    }

    /** Where the next message of a partition will be. */
    long end(String topic, int partition) throws Exception {
        TopicPartition of = new TopicPartition(topic, partition);
        return admin.listOffsets(Map.of(of, OffsetSpec.latest()))
                .partitionResult(of)
                .get()
                .offset();
    }

    /** Deletes what is before an offset. */
    void deleteBefore(String topic, int partition, long offset) throws Exception {
        admin.deleteRecords(Map.of(new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(offset)))
                .all()
                .get();
    }

    /** Ends the open transaction of a transactional id in one partition, as {@code kafka-transactions.sh abort} does. */
    void abort(String topic, int partition, String transactionalId) throws Exception {
        TopicPartition of = new TopicPartition(topic, partition);
        long producer = admin.describeTransactions(List.of(transactionalId))
                .description(transactionalId)
                .get()
                .producerId();
        ProducerState open = admin.describeProducers(List.of(of)).partitionResult(of).get().activeProducers().stream()
                .filter(each -> each.producerId() == producer)
                .findFirst()
                .orElseThrow();
        admin.abortTransaction(new AbortTransactionSpec(
                        of,
                        producer,
                        (short) open.producerEpoch(),
                        open.coordinatorEpoch().orElse(0)))
                .all()
                .get();
    }

    Map<String, Long> committed(String group) throws Exception {
        Map<String, Long> offsets = new HashMap<>();
        Map<TopicPartition, OffsetAndMetadata> all = admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get();
        all.forEach((partition, offset) -> offsets.put(partition.toString(), offset.offset()));
        return offsets;
    }

    /**
     * Messages of a topic that belong to no open or aborted transaction, a partition after the other.
     *
     * @throws IllegalStateException if a transaction is open, which holds up who reads
     */
    public List<ConsumerRecord<byte[], byte[]>> read(String topic) throws Exception {
        return read(topic, "read_committed");
    }

    /** Messages of a topic, a partition after the other. */
    List<ConsumerRecord<byte[], byte[]>> read(String topic, String isolation) throws Exception {
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = patientConsumer(broker.address(), isolation)) {
            for (PartitionInfo each : consumer.partitionsFor(topic)) {
                TopicPartition partition = new TopicPartition(topic, each.partition());
                consumer.assign(List.of(partition));
                consumer.seekToBeginning(List.of(partition));
                long end = end(topic, each.partition());
                awaitStable(consumer, partition, end);
                while (consumer.position(partition) < end) {
                    consumer.poll(Duration.ofMillis(10)).forEach(all::add);
                }
            }
        }
        return all;
    }

    /** A transaction that is committed or aborted ends in its partitions a little later. */
    private void awaitStable(KafkaConsumer<?, ?> consumer, TopicPartition partition, long end) throws Exception {
        int looks = MARKER_LOOKS;
        while (consumer.endOffsets(List.of(partition)).get(partition) < end) {
            if (looks-- == 0) {
                throw new IllegalStateException("a transaction is open in " + partition + ": "
                        + admin.describeProducers(List.of(partition))
                                .partitionResult(partition)
                                .get());
            }
            LockSupport.parkNanos(MARKER_LOOK_NS);
        }
    }

    /** The value of the first message of a partition, as soon as there is one. */
    String first(String topic, int partition) {
        TopicPartition of = new TopicPartition(topic, partition);
        try (KafkaConsumer<byte[], byte[]> consumer = patientConsumer(broker.address(), "read_uncommitted")) {
            consumer.assign(List.of(of));
            consumer.seekToBeginning(List.of(of));
            List<ConsumerRecord<byte[], byte[]>> messages = List.of();
            while (messages.isEmpty()) {
                messages = consumer.poll(Duration.ofMillis(50)).records(of);
            }
            return new String(messages.get(0).value(), StandardCharsets.UTF_8);
        }
    }

    /** Their values, as text. */
    public List<String> values(String topic) throws Exception {
        return read(topic).stream()
                .map(message -> new String(message.value(), StandardCharsets.UTF_8))
                .toList();
    }

    /** A message. */
    public void send(ProducerRecord<byte[], byte[]> message) throws Exception {
        producer.send(message).get();
    }

    /** Values of one partition. */
    public void send(String topic, int partition, String... values) throws Exception {
        for (String value : values) {
            send(new ProducerRecord<>(topic, partition, null, value.getBytes(StandardCharsets.UTF_8)));
        }
    }

    /** The numbers from {@code from} to before {@code to}, over all partitions in turn. */
    public void sendNumbers(String topic, int partitions, int from, int to) {
        sendNumbersAsync(topic, partitions, from, to);
        flush();
    }

    /** They have arrived after {@link #flush}. */
    @SuppressWarnings("FutureReturnValueIgnored") // flush waits for all
    void sendNumbersAsync(String topic, int partitions, int from, int to) {
        IntStream.range(from, to)
                .forEach(i -> producer.send(
                        new ProducerRecord<>(
                                topic, i % partitions, null, String.valueOf(i).getBytes(StandardCharsets.UTF_8)),
                        (sent, failure) -> unsent.compareAndSet(null, failure)));
    }

    /** True if an id has a transaction that is neither committed nor aborted, and it writes this topic. */
    boolean transactionHas(String transactionalId, String topic) throws Exception {
        TransactionDescription now = admin.describeTransactions(List.of(transactionalId))
                .description(transactionalId)
                .get();
        return now.state() == TransactionState.ONGOING
                && now.topicPartitions().stream().anyMatch(each -> each.topic().equals(topic));
    }

    /** True if a transaction holds up who reads. */
    boolean transactionOpen(String topic) throws Exception {
        List<TopicPartition> partitions =
                admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions().stream()
                        .map(each -> new TopicPartition(topic, each.partition()))
                        .toList();
        return admin.describeProducers(partitions).all().get().values().stream()
                .flatMap(each -> each.activeProducers().stream())
                .anyMatch(each -> each.currentTransactionStartOffset().isPresent());
    }

    /** @throws IllegalStateException if something has not arrived: no job could have a result of it */
    void flush() {
        producer.flush();
        Exception failure = unsent.get();
        if (failure != null) {
            throw new IllegalStateException("a message of a test was not sent", failure);
        }
    }

    /** What whoever reads what is committed sees, from the beginning on. */
    Following follow(String topic) {
        return new Following(patientConsumer(broker.address(), "read_committed"), topic);
    }

    /** See {@link #follow}. */
    static final class Following implements AutoCloseable {
        private final KafkaConsumer<byte[], byte[]> consumer;

        Following(KafkaConsumer<byte[], byte[]> consumer, String topic) {
            this.consumer = consumer;
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(each -> new TopicPartition(topic, each.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
        }

        /** Values that have come since the last call. */
        List<String> poll() {
            List<String> values = new ArrayList<>();
            consumer.poll(Duration.ofMillis(50))
                    .forEach(message -> values.add(new String(message.value(), StandardCharsets.UTF_8)));
            return values;
        }

        @Override
        public void close() {
            consumer.close();
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
        admin.close(Duration.ZERO);
        try {
            broker.kill();
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException e) {
            System.err.println("cannot delete " + folder + ": " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
