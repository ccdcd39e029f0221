// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.LiveReader;
import io.thalweg.api.connector.RecordBatch;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.stats.InputStats;
import io.thalweg.api.stats.SplitLag;
import io.thalweg.testkit.FreePort;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a bounded partition ends, while messages go on to come. */
@Timeout(900)
@Tag("integration")
final class KafkaReaderTest {
    private final TestBroker broker = TestBroker.shared();

    /** Behind the last batch. */
    private long position;

    /** Of a job with checkpoints, unless it is told otherwise. */
    private static final class Context implements SourceContext {
        private boolean checkpoints = true;
        private Duration step = Duration.ofSeconds(1);
        private long nowNs;
        private InputStats input = InputStats.NONE;
        private final List<String> warnings = new ArrayList<>();

        @Override
        public void warn(String message) {
            warnings.add(message);
        }

        @Override
        public void measured(InputStats now) {
            input = now;
        }

        @Override
        public void bad(BadRecord record) {
            throw new AssertionError(record.describe());
        }

        @Override
        public long nowNs() {
            return nowNs += step.toNanos(); // for each look
        }

        @Override
        public boolean checkpoints() {
            return checkpoints;
        }
    }

    /** Reads until a batch says that it is the last. */
    private List<String> rest(LiveReader<String> reader) throws Exception {
        List<String> read = new ArrayList<>();
        boolean last = false;
        while (!last) {
            for (RecordBatch<String> batch : reader.fetch(Duration.ofSeconds(1))) {
                for (String value = batch.next(); value != null; value = batch.next()) {
                    read.add(value);
                }
                assertThat(last).as("more than a last batch").isFalse();
                last = batch.last();
                position = batch.position();
            }
        }
        return read;
    }

    @Test
    void shouldEndWhereThePartitionEndedAtTheStart_alsoIfItIsRestored() throws Exception {
        String topic = broker.topic(1);
        String split = topic + "-0";
        broker.send(topic, 0, "0", "1", "2", "3");
        KafkaSource<String> source =
                Kafka.read(broker.address(), topic, Decoder.text()).untilLatest();
        LiveReader<String> reader = source.open(new Context());
        reader.add(split);
        List<RecordBatch<String>> begun = reader.fetch(Duration.ofSeconds(1));
        assertThat(begun).hasSize(1);
        assertThat(begun.get(0).next()).isNull();
        assertThat(begun.get(0).position()).isZero();
        byte[] known = begun.get(0).fingerprint();

        broker.send(topic, 0, "4", "5");
        assertThat(rest(reader)).containsExactly("0", "1", "2", "3");
        reader.close();

        LiveReader<String> restored = source.open(new Context());
        assertThat(restored.changed(split, known)).isNull();
        restored.addAt(split, 2);
        assertThat(rest(restored)).containsExactly("2", "3");
        restored.close();
    }

    @Test
    void shouldSayHowFarItIsBehind() throws Exception {
        String topic = broker.topic(1);
        broker.sendNumbers(topic, 1, 0, 10);
        Context context = new Context();
        LiveReader<String> reader = Kafka.read(broker.address(), topic, Decoder.text())
                .set("max.poll.records", "4")
                .open(context);
        reader.add(topic + "-0");
        for (long lag : new long[] {10, 6, 2}) {
            RecordBatch<String> batch = some(reader);
            assertThat(context.input.splits())
                    .as("what is not fetched, and what was fetched and waits")
                    .containsExactly(new SplitLag(topic + "-0", lag));
            position = batch.position();
            while (batch.next() != null) {
                assertThat(batch.position()).isGreaterThan(position);
                position = batch.position();
            }
        }
        do {
            reader.fetch(Duration.ofSeconds(1)); // longer than a broker waits for messages, unless it is busy
        } while (context.input.fetchMs() == 0); // until an answer has taken its time
        assertThat(context.input.lag()).isZero();
        assertThat(context.input.bytes()).isGreaterThanOrEqualTo(10);
        reader.close();
    }

    /** The network's buffers are no longer needed once a batch is read, but its place is. */
    @Test
    void shouldSayHowMuchMemoryABatchNeeds_andKnowItsPlaceWhenItIsRead() throws Exception {
        String topic = broker.topic(1);
        ProducerRecord<byte[], byte[]> message =
                new ProducerRecord<>(topic, 0, new byte[30], "x".repeat(500).getBytes(StandardCharsets.UTF_8));
        message.headers().add("trace", new byte[7]);
        broker.send(message);
        broker.send(topic, 0, "1");
        LiveReader<String> reader =
                Kafka.read(broker.address(), topic, Decoder.text()).open(new Context());
        reader.add(topic + "-0");
        RecordBatch<String> batch = some(reader);
        assertThat(batch.bytes()).isBetween(30L + 500 + 5 + 7, 2_000L);
        byte[] last = new byte[0];
        while (batch.next() != null) {
            last = batch.fingerprint();
        }
        assertThat(batch.next()).isNull();
        assertThat(batch.position()).isEqualTo(2);
        assertThat(batch.recordOffset()).isEqualTo(1);
        assertThat(batch.fingerprint()).isEqualTo(last);
        reader.close();
    }

    /** The batch that has this message, read up to it. */
    private static RecordBatch<String> upTo(LiveReader<String> reader, String message) throws Exception {
        while (true) {
            RecordBatch<String> batch = some(reader);
            for (String value = batch.next(); value != null; value = batch.next()) {
                if (value.equals(message)) {
                    return batch;
                }
            }
        }
    }

    /** The next batch that is not empty. */
    private static RecordBatch<String> some(LiveReader<String> reader) throws Exception {
        while (true) {
            for (RecordBatch<String> batch : reader.fetch(Duration.ofSeconds(1))) {
                if (((KafkaBatch<String>) batch).waiting() > 0) {
                    return batch;
                }
            }
        }
    }

    /** Each message is a fetch of its own, so most are not fetched when the topic is deleted. */
    @Test
    void shouldFail_ifItsTopicIsDeletedBeforeItsEnd() throws Exception {
        String topic = broker.topic(1);
        for (int i = 0; i < 20; i++) {
            broker.send(topic, 0, "message " + i);
        }
        LiveReader<String> reader = Kafka.read(broker.address(), topic, Decoder.text())
                .untilLatest()
                .set("max.partition.fetch.bytes", "1")
                .open(new Context());
        reader.add(topic + "-0");
        some(reader);
        broker.delete(topic);
        assertThatThrownBy(() -> rest(reader))
                .isInstanceOf(ConnectorException.class)
                .hasMessageMatching("topic " + topic + " at " + broker.address()
                        + " was deleted while the job read it: of partition 0 the messages from offset \\d+ to before 20"
                        + " are gone; .*");
        reader.close();
    }

    /** The new topic has more messages than were read of the old one: the consumer begins it behind that offset. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldFail_ifItsTopicIsCreatedAgainWhileItDoesNotLook(boolean checkpoints) throws Exception {
        String topic = broker.topic(1);
        broker.send(topic, 0, "0", "1", "2");
        Context context = new Context();
        context.checkpoints = checkpoints;
        LiveReader<String> reader =
                Kafka.read(broker.address(), topic, Decoder.text()).open(context);
        reader.add(topic + "-0");
        some(reader);
        reader.fetch(Duration.ofMillis(10)); // some seconds of this clock from the start
        reader.fetch(Duration.ofMillis(10));
        broker.delete(topic);
        broker.topic(topic, 1);
        broker.send(topic, 0, "new 0", "new 1", "new 2", "new 3", "new 4");
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 10_000; i++) { // a minute of this clock, more than once
                        reader.fetch(Duration.ofMillis(10));
                    }
                })
                .isInstanceOf(ConnectorException.class)
                .hasMessageStartingWith("topic " + topic + " at " + broker.address()
                        + " was deleted and created again while the job read it");
        reader.close();
    }

    /** Who is to go on whatever is lost is told of it. */
    @Test
    void shouldSayThatItsTopicWasCreatedAgain_ifItIsToGoOn() throws Exception {
        String topic = broker.topic(1);
        broker.send(topic, 0, "0", "1", "2");
        Context context = new Context();
        KafkaSource<String> source =
                Kafka.read(broker.address(), topic, Decoder.text()).onOutOfRange(OutOfRange.EARLIEST);
        LiveReader<String> reader = source.open(context);
        reader.add(topic + "-0");
        some(reader);
        broker.delete(topic);
        broker.topic(topic, 1);
        broker.send(topic, 0, "new 0", "new 1", "new 2", "new 3", "new 4");
        String again = "topic " + topic + " at " + broker.address()
                + " was deleted and created again while the job read it, so that messages of the new one may have been left out";
        for (int i = 0; i < 6_000 && !context.warnings.contains(again); i++) {
            reader.fetch(Duration.ofMillis(10));
        }
        for (int i = 0; i < 100; i++) { // more than a minute of this clock
            reader.fetch(Duration.ofMillis(1));
        }
        assertThat(context.warnings).containsOnlyOnce(again);
        broker.send(topic, 0, "later");
        RecordBatch<String> later = upTo(reader, "later");
        LiveReader<String> restored = source.open(new Context());
        assertThat(restored.changed(topic + "-0", later.fingerprint())).isNull();
        restored.close();
        reader.close();
    }

    /** Each fetch waited for its offsets, and hardly anything was read of the others. */
    @Test
    void shouldGoOnWithoutATopicThatIsGoneBeforeItIsBegun() throws Exception {
        String kept = broker.topic(1);
        Context context = new Context();
        LiveReader<String> reader = Kafka.readMatching(broker.address(), kept + "|gone", Decoder.text())
                .connectTimeout(Duration.ofMinutes(10))
                .open(context);
        reader.add(kept + "-0");
        reader.fetch(Duration.ofMillis(10));
        reader.addFound("gone-0");

        for (int i = 0; i < 10_000 && context.warnings.isEmpty(); i++) { // as soon as the broker says so
            reader.fetch(Duration.ofMillis(10));
        }

        assertThat(context.warnings)
                .containsExactly("topic gone at " + broker.address()
                        + " was deleted before the job began to read it; it goes on without it");
        broker.send(kept, 0, "after");
        assertThat(some(reader).next()).isEqualTo("after");
        assertThat(context.warnings).as("it is not waited for again").hasSize(1);
        reader.close();
    }

    /** Nobody says where it begins, as of one without a leader. Each fetch waited for that, here for an hour. */
    @Test
    void shouldReadTheOthers_whileAPartitionCannotBegin() throws Exception {
        String topic = broker.topic(1);
        Context context = new Context();
        LiveReader<String> reader = Kafka.read(broker.address(), topic, Decoder.text())
                .connectTimeout(Duration.ofHours(1))
                .open(context);
        reader.add(topic + "-0");
        reader.fetch(Duration.ofMillis(10));
        reader.addFound(topic + "-1");
        for (int i = 0; i < 30 || context.warnings.isEmpty(); i++) { // as many seconds of this clock, or more
            reader.fetch(Duration.ofMillis(1));
        }
        broker.send(topic, 0, "after");
        assertThat(some(reader).next()).isEqualTo("after");
        assertThat(context.warnings)
                .containsExactly("topic " + topic + ", partition 1 at " + broker.address()
                        + " is not there any more: nothing of it is read");

        broker.grow(topic, 2);
        broker.send(topic, 1, "second");
        assertThat(some(reader).next()).isEqualTo("second");
        reader.close();
    }

    /** As of one without a leader, nobody says where it begins. Those that the job begins with may come one after the other. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldFail_ifAPartitionThatItBeginsWithCannotBegin_thoughAnotherHasBegun(boolean ended) throws Exception {
        String topic = broker.topic(1);
        broker.send(topic, 0, "first");
        String failure = failureOfTheSecond(topic, ended);
        while (failure.contains("no answer within")) { // in time to say which partition it is, on a busy machine
            failure = failureOfTheSecond(topic, ended);
        }
        assertThat(failure)
                .isEqualTo("topic " + topic + ", partition 1 at " + broker.address() + " has no leader, so that nobody"
                        + " says where it begins or ends; start the brokers that have its data");
    }

    /** What a source says that begins with a partition, and is then to begin with one that is not there. */
    private String failureOfTheSecond(String topic, boolean ended) throws Exception {
        KafkaSource<String> source =
                Kafka.read(broker.address(), topic, Decoder.text()).connectTimeout(Duration.ofSeconds(20));
        Context context = new Context();
        context.step = Duration.ofSeconds(20);
        LiveReader<String> reader = (ended ? source.untilLatest() : source).open(context);
        try {
            reader.add(topic + "-0");
            if (ended) {
                assertThat(rest(reader)).containsExactly("first");
            } else {
                reader.fetch(Duration.ofMillis(10));
            }
            reader.add(topic + "-1");
            for (int i = 0; i < 30; i++) { // each as long as the job is to wait, by this clock
                reader.fetch(Duration.ofMillis(1));
            }
            return "it has begun";
        } catch (ConnectorException e) {
            return e.getMessage();
        } finally {
            reader.close();
        }
    }

    /** It would wait for its end. */
    @Test
    void shouldFail_ifItIsToEndAndATopicIsGoneBeforeItIsBegun() throws Exception {
        String kept = broker.topic(1);
        broker.send(kept, 0, "first");
        LiveReader<String> reader = Kafka.readMatching(broker.address(), kept + "|gone", Decoder.text())
                .connectTimeout(Duration.ofMinutes(10))
                .untilLatest()
                .open(new Context());
        reader.add(kept + "-0");
        reader.fetch(Duration.ofMillis(10));
        reader.add("gone-0");

        assertThatThrownBy(() -> {
                    for (int i = 0; i < 10_000; i++) { // as soon as the broker says so
                        reader.fetch(Duration.ofMillis(10));
                    }
                })
                .isInstanceOf(ConnectorException.class)
                .hasMessage("topic gone at " + broker.address() + " was deleted before the job began to read it; leave"
                        + " the topic there until the job has ended, and start the job again");
        reader.close();
    }

    /** A running job, whose consumer had its connections, failed where the name of the server could not be resolved for a moment. */
    @Test
    void shouldNotFail_ifItLooksAfterItsTopicsAndTheServersAreUnknown() throws Exception {
        assertThat(new TopicList(ClientSettings.of("no-broker.invalid:9092")).idsNow(List.of("orders")))
                .isEmpty();
    }

    /** Reading waits meanwhile, which it did for as long as at the start of the job. */
    @Test
    void shouldGiveUpSoon_ifItLooksForNewPartitionsAndNobodyAnswers() {
        KafkaSource<String> nobody = Kafka.read("127.0.0.1:" + FreePort.find(), "orders", Decoder.text())
                .set("default.api.timeout.ms", "3600000")
                .connectTimeout(Duration.ofHours(1));
        assertThatThrownBy(() -> nobody.discover(1)).hasMessageContaining("no answer within 5 s");
    }

    @Test
    void shouldSayThatATopicThatMatchesWasDeleted_once() throws Exception {
        String kept = broker.topic(1);
        String gone = broker.topic(1);
        Context context = new Context();
        LiveReader<String> reader = Kafka.readMatching(broker.address(), kept + "|" + gone, Decoder.text())
                .open(context);
        reader.add(kept + "-0");
        reader.add(gone + "-0");
        reader.fetch(Duration.ofMillis(10));
        broker.delete(gone);
        while (context.warnings.isEmpty()) {
            reader.fetch(Duration.ofMillis(10));
        }
        for (int i = 0; i < 100; i++) { // more than a minute of this clock
            reader.fetch(Duration.ofMillis(1));
        }
        assertThat(context.warnings)
                .containsExactly("topic " + gone + " at " + broker.address()
                        + " was deleted while the job reads it; the job goes on with the others that match");
        broker.send(kept, 0, "after");
        assertThat(some(reader).next()).isEqualTo("after");
        reader.close();
    }

    /** As one that its broker has lost the end of. The consumer says of it that nothing is behind. */
    @Test
    void shouldSayThatATransactionDoesNotEnd_once() throws Exception {
        String topic = broker.topic(2);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        broker.address(),
                        "transactional.id",
                        topic,
                        "transaction.timeout.ms",
                        "600000"),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, 0, null, new byte[] {'a'}))
                    .get();
            producer.commitTransaction();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, 0, null, new byte[] {'b'}))
                    .get();
            broker.send(topic, 1, "c");
            Context context = new Context();
            LiveReader<String> reader =
                    Kafka.read(broker.address(), topic, Decoder.text()).open(context);
            reader.add(topic + "-0");
            reader.add(topic + "-1");
            for (int i = 0; i < 6_000 && context.warnings.isEmpty(); i++) {
                reader.fetch(Duration.ofMillis(10));
            }
            for (int i = 0; i < 200; i++) { // some minutes of this clock
                reader.fetch(Duration.ofMillis(1));
            }
            assertThat(context.warnings)
                    .containsExactly("topic " + topic + ", partition 0 at " + broker.address()
                            + ": the messages from offset 2 on are not read, since a transaction has been open there for"
                            + " more than 10 minutes; kafka-transactions.sh find-hanging says whether it will ever end,"
                            + " and abort ends it");
            reader.close();
        }
    }

    /** Nobody else looks after it. */
    @Test
    void shouldSayThatItsTopicWasDeleted_ifItLooksForNoNewPartitions() throws Exception {
        String topic = broker.topic(1);
        Context context = new Context();
        LiveReader<String> reader = Kafka.read(broker.address(), topic, Decoder.text())
                .discovery(Duration.ZERO)
                .open(context);
        reader.add(topic + "-0");
        reader.fetch(Duration.ofMillis(10));
        broker.delete(topic);
        for (int i = 0; i < 6_000 && context.warnings.isEmpty(); i++) {
            reader.fetch(Duration.ofMillis(10));
        }
        assertThat(context.warnings)
                .containsExactly("topic " + topic + " at " + broker.address()
                        + " was deleted while the job reads it; the job waits for it");
        reader.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldGoOnWithoutATopicThatMatched_ifItIsGoneWhenItIsRestored(boolean bounded) throws Exception {
        String kept = broker.topic(1);
        broker.send(kept, 0, "0", "1");
        KafkaSource<String> source = Kafka.readMatching(broker.address(), kept + ".*", Decoder.text());
        LiveReader<String> reader = (bounded ? source.untilLatest() : source).open(new Context());
        String gone = kept + "-gone-0";
        byte[] state = new PartitionState(Uuid.randomUuid(), 0, 9).fingerprint();

        assertThat(reader.changed(gone, state)).isEqualTo("the topic " + kept + "-gone was deleted");
        reader.addAt(gone, 7);
        reader.add(kept + "-0");

        Map<String, RecordBatch<String>> begun = new HashMap<>();
        for (RecordBatch<String> batch : reader.fetch(Duration.ofSeconds(1))) {
            begun.put(batch.split(), batch);
        }
        assertThat(begun).containsOnlyKeys(gone, kept + "-0");
        assertThat(begun.get(gone).last()).as("nothing more comes").isEqualTo(bounded);
        assertThat(begun.get(gone).position()).isEqualTo(7);
        assertThat(some(reader).next()).isEqualTo("0");
        assertThat(reader.changed(gone, begun.get(gone).fingerprint()))
                .as("it is accepted once")
                .isNull();

        String late = kept + "-late-0"; // they may be restored one after the other
        assertThat(reader.changed(late, state)).isEqualTo("the topic " + kept + "-late was deleted");
        reader.addAt(late, 7);
        assertThat(reader.fetch(Duration.ofSeconds(1))).singleElement().satisfies(batch -> {
            assertThat(batch.split()).isEqualTo(late);
            assertThat(batch.last()).isEqualTo(bounded);
        });
        reader.close();
    }

    /** A broker writes it some time after the producer knows that the transaction is committed. */
    private void awaitMarker(String topic) {
        TopicPartition partition = new TopicPartition(topic, 0);
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", broker.address(), "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            while (consumer.endOffsets(List.of(partition)).get(partition) < 2) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void shouldGoOnBehindTheMarkersOfTransactions() throws Exception {
        String topic = broker.topic(1);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.address(), "transactional.id", topic),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, 0, null, new byte[] {'a'}))
                    .get();
            producer.commitTransaction();
        }
        awaitMarker(topic);
        LiveReader<String> reader = Kafka.read(broker.address(), topic, Decoder.text())
                .untilLatest()
                .open(new Context());
        reader.add(topic + "-0");
        assertThat(rest(reader)).containsExactly("a");
        assertThat(position).as("behind the message and the marker").isEqualTo(2);
        reader.close();
    }

    @Test
    void shouldEndAtOnce_ifItIsRestoredAtItsEnd() throws Exception {
        String topic = broker.topic(1);
        broker.send(topic, 0, "0");
        LiveReader<String> reader = Kafka.read(broker.address(), topic, Decoder.text())
                .untilLatest()
                .open(new Context());
        reader.addAt(topic + "-0", 1);
        assertThat(rest(reader)).isEmpty();
        reader.close();
    }

    /** It counted as one whose ends are not known, so that what is not read was not told. */
    @Test
    void shouldNotBeginWithoutTheEnds_ifNoBrokerSaysThem() {
        ClientSettings nobody =
                ClientSettings.of("127.0.0.1:" + FreePort.find()).connectTimeout(Duration.ofMillis(200));
        assertThatThrownBy(() -> new TopicList(nobody).ends(List.of(new TopicPartition("orders", 0))))
                .isInstanceOf(TimeoutException.class);
    }

    /** As after the election of a leader that has not seen all. */
    private LiveReader<String> beyondTheEnd(String topic, Context context, OutOfRange policy) throws Exception {
        broker.sendNumbers(topic, 1, 0, 10);
        LiveReader<String> reader = Kafka.read(broker.address(), topic, Decoder.text())
                .onOutOfRange(policy)
                .open(context);
        Uuid id = new TopicList(ClientSettings.of(broker.address()))
                .ids(List.of(topic))
                .get(topic);
        byte[] state = new PartitionState(id, 0, PartitionState.NO_END).fingerprint();
        assertThat(reader.changed(topic + "-0", state)).isNull();
        reader.addAt(topic + "-0", 15);
        return reader;
    }

    @Test
    void shouldSayThatTheTopicHasLostWhatWasRead() throws Exception {
        String topic = broker.topic(1);
        LiveReader<String> reader = beyondTheEnd(topic, new Context(), OutOfRange.FAIL);
        assertThatThrownBy(() -> some(reader))
                .isInstanceOf(ConnectorException.class)
                .hasMessage("topic " + topic + ", partition 0 at " + broker.address()
                        + " has offsets from 0 to before 10, but the source is at 15; what it has read from 10 on is"
                        + " not in the topic any more: a replica without them became the leader, or a broker lost them;"
                        + " to continue with what is there, set onOutOfRange(OutOfRange.EARLIEST) or LATEST");
        reader.close();
    }

    @Test
    void shouldGoOnWithWhatItHasNotRead_ifTheTopicHasLostSome() throws Exception {
        String topic = broker.topic(1);
        Context context = new Context();
        LiveReader<String> reader = beyondTheEnd(topic, context, OutOfRange.EARLIEST);
        while (context.warnings.isEmpty()) {
            reader.fetch(Duration.ofMillis(100));
        }
        broker.send(topic, 0, "after");
        RecordBatch<String> batch = some(reader);
        assertThat(batch.next()).isEqualTo("after");
        assertThat(batch.position()).isEqualTo(11);
        assertThat(context.warnings).singleElement().asString().endsWith("; it continues at 10");
        reader.close();
    }

    /** It never had them; so the offsets that are missing never come. */
    @Test
    void shouldFail_ifItsPartitionHasLostItsEnd() throws Exception {
        String topic = broker.topic(1);
        broker.sendNumbers(topic, 1, 0, 10);
        LiveReader<String> reader = Kafka.read(broker.address(), topic, Decoder.text())
                .untilLatest()
                .open(new Context());
        Uuid id = new TopicList(ClientSettings.of(broker.address()))
                .ids(List.of(topic))
                .get(topic);
        assertThat(reader.changed(topic + "-0", new PartitionState(id, 0, 20).fingerprint()))
                .isNull();
        reader.addAt(topic + "-0", 2);
        assertThatThrownBy(() -> rest(reader))
                .isInstanceOf(ConnectorException.class)
                .hasMessageStartingWith("topic " + topic + ", partition 0 at " + broker.address()
                        + " ends at offset 10, but ended at 20 when the job began to read it: ");
        reader.close();
    }

    /** Each message is a fetch of its own, so retention can overtake the reader. */
    @Test
    void shouldSayThatMessagesWereDeletedBeforeTheyWereRead() throws Exception {
        for (OutOfRange policy : OutOfRange.values()) {
            String topic = broker.topic(1);
            for (int i = 0; i < 20; i++) {
                broker.send(topic, 0, "message " + i);
            }
            Context context = new Context();
            LiveReader<String> reader = Kafka.read(broker.address(), topic, Decoder.text())
                    .onOutOfRange(policy)
                    .set("max.partition.fetch.bytes", "1")
                    .open(context);
            reader.add(topic + "-0");
            some(reader);
            broker.deleteBefore(topic, 0, 15);
            String lost = "the offsets from \\d+ to before 15 were deleted before they were read, by the topic's"
                    + " retention or by hand; ";
            if (policy == OutOfRange.FAIL) {
                assertThatThrownBy(() -> readAll(reader, "nothing of the kind"))
                        .isInstanceOf(ConnectorException.class)
                        .hasMessageMatching("topic .*" + lost + "to continue .*");
            } else {
                boolean earliest = policy == OutOfRange.EARLIEST;
                readAll(reader, earliest ? "message 19" : null, context);
                assertThat(context.warnings)
                        .singleElement()
                        .asString()
                        .matches("topic .*" + lost + "it continues at " + (earliest ? 15 : 20));
            }
            reader.close();
        }
    }

    /** Nothing may ever come behind it that would say so. */
    @ParameterizedTest
    @EnumSource(
            value = OutOfRange.class,
            names = {"EARLIEST", "LATEST"})
    void shouldEnd_ifAllThatWasLeftUpToItsEndIsDeleted(OutOfRange policy) throws Exception {
        String topic = broker.topic(1);
        broker.sendNumbers(topic, 1, 0, 20);
        Context context = new Context();
        LiveReader<String> reader = Kafka.read(broker.address(), topic, Decoder.text())
                .onOutOfRange(policy)
                .untilLatest()
                .open(context);
        reader.add(topic + "-0");
        reader.fetch(Duration.ofSeconds(1)); // knows the end
        broker.deleteBefore(topic, 0, 20);

        assertThat(rest(reader)).isEmpty();

        assertThat(position).isEqualTo(20);
        assertThat(context.warnings)
                .singleElement()
                .asString()
                .startsWith("topic " + topic + ", partition 0 at ")
                .endsWith(
                        "the offsets from 0 to before 20 were deleted before they were read, by the topic's retention or by"
                                + " hand; nothing else of the partition is read");
        reader.close();
    }

    @Test
    void shouldSayThatSomebodyElseCommitsToItsGroup_once() throws Exception {
        String topic = broker.topic(1);
        String split = topic + "-0";
        String group = topic + "-readers";
        Context context = new Context();
        LiveReader<String> reader =
                Kafka.read(broker.address(), topic, Decoder.text()).group(group).open(context);
        reader.add(split);
        reader.fetch(Duration.ofSeconds(1));
        for (int offset = 1; offset <= 300; offset++) { // its own commits are none of somebody else
            reader.confirm(split, offset);
            reader.fetch(Duration.ofMillis(1));
        }
        assertThat(ofGroup(context)).isEmpty();

        Map<TopicPartition, OffsetAndMetadata> other = Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(9));
        long looks = 0;
        for (int offset = 301; ofGroup(context).isEmpty() || looks++ < 100; offset++) {
            broker.admin().alterConsumerGroupOffsets(group, other).all().get();
            reader.confirm(split, offset);
            reader.fetch(Duration.ofMillis(1));
        }
        reader.close();
        assertThat(ofGroup(context))
                .singleElement()
                .asString()
                .startsWith("group " + group + " at " + broker.address() + " has offset 9 of partition 0 of topic "
                        + topic + ", and this job committed ")
                .endsWith(": another job or consumer commits to that group, too; give each a group of its own");
    }

    /** Without those of a broker that has no coordinator yet. */
    private static List<String> ofGroup(Context context) {
        return context.warnings.stream()
                .filter(each -> each.startsWith("group "))
                .toList();
    }

    private static void readAll(LiveReader<String> reader, String until) throws Exception {
        readAll(reader, until, new Context());
    }

    /** Reads until this message, or, if it is null, until a warning. */
    private static void readAll(LiveReader<String> reader, @Nullable String until, Context context) throws Exception {
        while (until != null || context.warnings.isEmpty()) {
            for (RecordBatch<String> batch : reader.fetch(Duration.ofSeconds(1))) {
                for (String value = batch.next(); value != null; value = batch.next()) {
                    if (value.equals(until)) {
                        return;
                    }
                }
            }
        }
    }
}
