// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Encoder;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.SinkContext;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of transactions that come to grief; writers without a job, so that each moment can be chosen. */
@Timeout(900)
@Tag("integration")
final class TransactionsTest {
    private final TestBroker broker = TestBroker.shared();
    private final List<CheckpointedWriter<String>> opened = new ArrayList<>();
    private String topic;

    @BeforeEach
    void makeTopic() throws Exception {
        topic = broker.topic(2);
    }

    @AfterEach
    void closeAll() throws Exception {
        for (CheckpointedWriter<String> writer : opened) {
            writer.close();
        }
    }

    private KafkaSink<String> sink() {
        return Kafka.write(broker.address(), topic, Encoder.text()).transactionalIdPrefix(topic);
    }

    private static SinkContext context(int task, int tasks, long checkpoint, String run) {
        return new SinkContext("job", "sink", task, tasks, System.out, null, Guarantee.EXACTLY_ONCE, checkpoint, run);
    }

    private CheckpointedWriter<String> open(KafkaSink<String> sink, SinkContext context) throws Exception {
        CheckpointedWriter<String> writer = (CheckpointedWriter<String>) sink.open(context);
        opened.add(writer);
        return writer;
    }

    private CheckpointedWriter<String> open(long checkpoint, String run) throws Exception {
        return open(sink(), context(0, 1, checkpoint, run));
    }

    private CheckpointedWriter<String> restored(long checkpoint, String run, byte[]... saved) throws Exception {
        CheckpointedWriter<String> writer = open(checkpoint, run);
        writer.restore(List.of(saved));
        return writer;
    }

    private static void assertTaken(CheckpointedWriter<String> writer) {
        assertThatThrownBy(() -> {
                    writer.write("too late");
                    writer.save(9);
                    writer.commit(9);
                })
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining(
                        "was taken from this job: another job writes with the same" + " transactionalIdPrefix(…)")
                .hasNoCause();
    }

    @Test
    void shouldFenceTheFirstOfTwoJobsWithOnePrefix() throws Exception {
        CheckpointedWriter<String> first = open(0, "first");
        first.write("of the first");
        CheckpointedWriter<String> second = open(0, "second");
        assertTaken(first);
        second.write("of the second");
        second.save(1);
        second.commit(1);
        assertThat(broker.values(topic)).containsExactly("of the second");
    }

    /** Its ids are others by then. */
    @Test
    void shouldFenceTheFirstOfTwoJobsWithOnePrefix_alsoIfItWasRestored() throws Exception {
        CheckpointedWriter<String> begun = open(0, "first");
        begun.write("a");
        begun.save(3);
        begun.commit(3);
        byte[] saved = begun.save(4); // which waits for nothing
        CheckpointedWriter<String> first = restored(4, "first again", saved);
        first.write("dangling");
        CheckpointedWriter<String> second = open(0, "second");
        assertTaken(first);
        second.write("b");
        second.save(1);
        second.commit(1);
        assertThat(broker.values(topic)).containsExactlyInAnyOrder("a", "b");

        CheckpointedWriter<String> third = restored(4, "first once more", saved);
        assertTaken(second);
        third.write("c");
        third.save(5);
        third.commit(5);
        assertThat(broker.values(topic)).containsExactlyInAnyOrder("a", "b", "c");
    }

    /** The number of the former job is still there when another task has taken its ids over. */
    @Test
    void shouldNotFenceItsOwnTasks_ifAnotherJobHadThePrefix() throws Exception {
        open(sink(), context(0, 3, 0, "first"));
        open(sink(), context(1, 3, 0, "first"));
        CheckpointedWriter<String> third = open(sink(), context(2, 3, 0, "first"));
        OutputName name = new OutputName(topic, 0, 1);
        SinkSettings settings = SinkSettings.of(ClientSettings.of(broker.address()), topic);
        try (Sender ofTheOther =
                Sender.transactional(settings, name.transactionalIds().get(0))) {
            open(sink(), context(0, 2, 0, "second"));
            ofTheOther.begin();
            ofTheOther.prepare(name, new OutputNumbers.Entry(0, "second", "second"));
            ofTheOther.commit();
        }
        assertTaken(third);
    }

    /** A job that is started again would leave two of them behind each time, with their threads and buffers. */
    @Test
    void shouldCloseItsProducers_ifItCannotBegin() throws Exception {
        CheckpointedWriter<String> writer = open(0, "run");
        writer.write("committed");
        writer.save(1);
        writer.commit(1);
        writer.close();

        assertThatThrownBy(() -> open(0, "run"))
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining(" holds messages that were written after it");
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.contains("producer-" + topic));
    }

    /** A checkpoint writes the arrays of the log while later messages come, and may be written when an earlier one is committed. */
    @Test
    void shouldNotChangeWhatItSaved_beforeTheCheckpointIsComplete() throws Exception {
        CheckpointedWriter<String> writer = open(0, "run");
        List<byte[]> saved = new ArrayList<>();
        List<List<ByteBuffer>> parts = new ArrayList<>();
        for (int checkpoint = 1; checkpoint <= 4; checkpoint++) {
            for (int n = 0; n < 400; n++) {
                writer.write(("checkpoint " + checkpoint + " ").repeat(100));
            }
            parts.add(writer.saveParts(checkpoint));
            saved.add(joined(parts.get(checkpoint - 1)));
            if (checkpoint > 1) {
                assertThat(joined(parts.get(checkpoint - 2))).isEqualTo(saved.get(checkpoint - 2));
                writer.commit(checkpoint - 1); // late: the next one has been saved
            }
        }
        writer.close();

        restored(4, "run again", saved.get(3)).close();
        assertThat(broker.values(topic)).hasSize(1_600);
    }

    private static byte[] joined(List<ByteBuffer> parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        parts.forEach(part -> out.write(part.array(), part.arrayOffset() + part.position(), part.remaining()));
        return out.toByteArray();
    }

    /** Nobody would finish it before its timeout, and until then nobody would read behind it. */
    @Test
    void shouldEndDanglingTransactionsOfTasksThatAreNoMore() throws Exception {
        CheckpointedWriter<String> one = open(sink(), context(0, 2, 0, "first"));
        CheckpointedWriter<String> other = open(sink(), context(1, 2, 0, "first"));
        one.write("a");
        other.write("b");
        byte[] savedOfOne = one.save(1);
        byte[] savedOfOther = other.save(1);
        one.commit(1);
        other.commit(1);
        CheckpointedWriter<String> again = open(sink(), context(0, 2, 1, "first"));
        again.restore(List.of(savedOfOne));
        CheckpointedWriter<String> otherAgain = open(sink(), context(1, 2, 1, "first"));
        otherAgain.restore(List.of(savedOfOther));
        again.write("of no checkpoint");
        otherAgain.write("of none, too");
        otherAgain.save(2);
        otherAgain.onClock(0); // in the group, too

        restored(1, "second", savedOfOne, savedOfOther);

        assertThat(broker.values(topic)).containsExactlyInAnyOrder("a", "b");
    }

    /** The checkpoint would otherwise wait for the answer before it is written. */
    @Test
    void shouldSendItsNumberWhileTheCheckpointIsWritten_andCommitWhenItIsComplete() throws Exception {
        String id = new OutputName(topic, 0, 0).transactionalIds().get(0);
        CheckpointedWriter<String> writer = open(0, "first");
        writer.write("a");
        assertThat(writer.dueMs()).isEqualTo(Long.MAX_VALUE);
        writer.save(1);
        assertThat(broker.transactionHas(id, "__consumer_offsets")).isFalse();
        assertThat(writer.dueMs())
                .as("as soon as the task has handed over its state")
                .isZero();
        writer.onClock(0);
        assertThat(writer.dueMs()).isEqualTo(Long.MAX_VALUE);
        assertThat(broker.transactionHas(id, "__consumer_offsets")).isTrue();
        writer.commit(1);
        assertThat(broker.values(topic)).containsExactly("a");
        awaitNumber(1);

        writer.write("b");
        writer.save(2);
        writer.write("c"); // before there was time for the number
        assertThat(writer.dueMs()).isZero();
        writer.save(3);
        writer.onClock(0);
        writer.commit(3);
        assertThat(broker.values(topic)).containsExactlyInAnyOrder("a", "b", "c");
        awaitNumber(3);
    }

    /** Where a task has no turn meanwhile, or dies before it. */
    @Test
    void shouldCommitNothingWithoutItsNumber() throws Exception {
        CheckpointedWriter<String> writer = open(0, "first");
        writer.write("a");
        byte[] saved = writer.save(1);
        writer.commit(1);
        restored(1, "second", saved).close();
        assertThat(broker.values(topic)).as("not once more").containsExactly("a");

        CheckpointedWriter<String> third = restored(1, "third", saved);
        third.write("b");
        third.save(2);
        third.write("c");
        byte[] savedThird = third.save(3);
        third.close();
        restored(3, "fourth", savedThird).close();
        assertThat(broker.values(topic)).containsExactlyInAnyOrder("a", "b", "c");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldReportATransactionThatTimedOut_andReplayIt(boolean numbered) throws Exception {
        KafkaSink<String> hasty = sink().set("transaction.timeout.ms", "10000");
        CheckpointedWriter<String> writer = open(hasty, context(0, 1, 0, "first"));
        writer.write("promised");
        byte[] saved = writer.save(1);
        if (numbered) {
            writer.onClock(0);
        }
        while (!broker.transactionOpen(topic)) { // its message is on its way
            LockSupport.parkNanos(10_000_000);
        }
        while (broker.transactionOpen(topic)) {
            LockSupport.parkNanos(100_000_000);
        }
        assertThatThrownBy(() -> writer.commit(1))
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining(
                        "the transaction was open for longer than transaction.timeout.ms, which is 10000");
        assertThat(broker.values(topic)).isEmpty();

        restored(1, "second", saved);
        assertThat(broker.values(topic)).containsExactly("promised");
        restored(1, "third", saved);
        assertThat(broker.values(topic)).containsExactly("promised");
    }

    /** As if the broker had lost the end of a transaction in one partition of the topic. */
    @Test
    void shouldSayThatATransactionDoesNotEndInThisPartition() throws Exception {
        broker.send(topic, 1, "before");
        SinkSettings settings = SinkSettings.of(
                ClientSettings.of(broker.address())
                        .connectTimeout(Duration.ofMillis(200))
                        .with("default.api.timeout.ms", "60000", Map.of())
                        .with("request.timeout.ms", "60000", Map.of()),
                topic);
        OutputName name = new OutputName(topic, 0, 0);
        try (Sender open =
                        Sender.transactional(settings, name.transactionalIds().get(1));
                OutputNumbers numbers = new OutputNumbers(settings.settings())) {
            numbers.awaitEnded(name, topic);
            open.begin();
            open.send(new ProducerRecord<>(topic, 1, null, new byte[1]));
            open.flush();
            assertThatThrownBy(() -> numbers.awaitEnded(name, topic))
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageContaining(name + "-… does not end")
                    .hasMessageContaining("in topic " + topic + ", partition 1 from offset 1 on. ")
                    .hasMessageContaining("KAFKA-20734");
            numbers.awaitEnded(new OutputName(topic, 0, 1), topic);
            open.commit();
            while (broker.transactionOpen(topic)) {
                LockSupport.parkNanos(10_000_000);
            }
            numbers.awaitEnded(name, topic);
        }
    }

    /** As if the broker had lost the end of the transaction: no producer of the job's has one open. */
    @Test
    void shouldSayHowToEndATransactionThatHangs_andReplayIt() throws Exception {
        CheckpointedWriter<String> writer = open(0, "first");
        writer.write("promised");
        byte[] saved = writer.save(1);
        writer.close();
        OutputName name = new OutputName(topic, 0, 0);
        Sender hanging =
                Sender.transactional(SinkSettings.of(ClientSettings.of(broker.address()), topic), topic + "-hanging");
        hanging.begin();
        hanging.prepare(name, new OutputNumbers.Entry(1, "", "first"));

        KafkaSink<String> hasty = sink().connectTimeout(Duration.ofSeconds(10));
        assertThatThrownBy(() -> open(hasty, context(0, 1, 1, "second")).restore(List.of(saved)))
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("cannot read the offset of group " + name)
                .hasMessageContaining("KAFKA-20734")
                .hasMessageContaining("in __consumer_offsets and in topic " + topic);
        assertThat(broker.values(topic)).isEmpty();

        broker.abort("__consumer_offsets", 0, topic + "-hanging");
        restored(1, "third", saved);
        assertThat(broker.values(topic)).containsExactly("promised");
        hanging.close();
    }

    @Test
    void shouldRefuseANumberThatTheGroupHasForgotten() throws Exception {
        CheckpointedWriter<String> writer = open(0, "first");
        writer.write("a");
        byte[] saved = writer.save(1);
        writer.close();
        broker.admin().deleteConsumerGroups(List.of(topic + "-0-0")).all().get();

        assertThatThrownBy(() -> restored(1, "second", saved))
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining(
                        "it cannot be said whether they are in the topic. Group " + topic + "-0-0 has no offset")
                .hasMessageContaining("offsets.retention.minutes")
                .hasMessageContaining("--discard-state 'sink'");
        assertThat(broker.values(topic)).isEmpty();
    }

    @Test
    void shouldRefuseANumberOfAnotherJob() throws Exception {
        CheckpointedWriter<String> writer = open(0, "first");
        writer.write("a");
        byte[] saved = writer.save(1);
        open(0, "of another job").close();

        assertThatThrownBy(() -> restored(1, "second", saved))
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("Another job has used the transactional ids " + topic + "-0-0-… since");
    }

    /** An idle job keeps its number and its ids known to the broker. */
    @Test
    void shouldUseItsIdsNowAndThen() throws Exception {
        AtomicLong nowNs = new AtomicLong();
        SinkSettings writing =
                SinkSettings.of(ClientSettings.of(broker.address()), topic).withIdPrefix(topic);
        MessageMaker<String> messages = MessageMaker.open(writing, MessageParts.of(Encoder.text()), warning -> {});
        CheckpointedWriter<String> writer =
                TransactionalWriter.open(writing, messages, context(0, 1, 0, "first"), nowNs::get);
        opened.add(writer);
        writer.write("a");
        writer.save(1);
        writer.commit(1);
        awaitNumber(1);
        broker.admin().deleteConsumerGroups(List.of(topic + "-0-0")).all().get();
        writer.save(2);
        writer.commit(2);
        assertThat(broker.committed(topic + "-0-0")).isEmpty();
        nowNs.set(Duration.ofDays(1).toNanos());
        writer.save(3);
        writer.commit(3);
        awaitNumber(1);
        writer.write("b");
        byte[] saved = writer.save(4);
        writer.close();
        restored(4, "second", saved);
        assertThat(broker.values(topic)).containsExactlyInAnyOrder("a", "b");
    }

    /** A broker shows the number that a transaction commits some time after the producer knows that it is committed. */
    private void awaitNumber(long number) throws Exception {
        while (!broker.committed(topic + "-0-0").containsValue(number)) {
            LockSupport.parkNanos(10_000_000);
        }
    }

    /** A checkpoint without transactions goes on with them, and the other way round. */
    @Test
    void shouldGoOnWithAnotherGuarantee() throws Exception {
        CheckpointedWriter<String> exact = open(0, "first");
        exact.write("a");
        byte[] saved = exact.save(1);
        CheckpointedWriter<String> plain = open(sink().atLeastOnce(), context(0, 1, 1, "second"));
        plain.restore(List.of(saved));
        assertTaken(exact);
        plain.write("b");
        byte[] savedPlain = plain.save(2);
        CheckpointedWriter<String> again = restored(2, "third", savedPlain);
        again.write("c");
        again.save(3);
        again.commit(3);
        assertThat(broker.values(topic)).containsExactlyInAnyOrder("a", "b", "c");
    }

    /** A small message would wait for a minute; a large one is sent as soon as the next one does not fit into its batch. */
    @Test
    void shouldKeepTheOrderOfMessages_fromOneTransactionToTheNext() throws Exception {
        KafkaSink<String> patient =
                sink().partition(value -> 0).set("linger.ms", "60000").set("batch.size", "1000");
        CheckpointedWriter<String> writer = open(patient, context(0, 1, 0, "first"));
        String large = "large ".repeat(1_000);
        List<String> expected = new ArrayList<>();
        for (int checkpoint = 1; checkpoint <= 9; checkpoint += 4) {
            writer.write("small " + checkpoint);
            writer.save(checkpoint);
            writer.write(large + checkpoint);
            writer.write(large);
            byte[] sent = (large + checkpoint).getBytes(UTF_8);
            while (broker.read(topic, "read_uncommitted").stream()
                    .noneMatch(message -> Arrays.equals(message.value(), sent))) {
                LockSupport.parkNanos(10_000_000);
            }
            writer.save(checkpoint + 1);
            expected.add("small " + checkpoint);
            expected.add(large + checkpoint);
            expected.add(large);
            if (checkpoint > 1) { // two that wait become one
                writer.write("behind " + checkpoint);
                writer.save(checkpoint + 2);
                expected.add("behind " + checkpoint);
            }
            writer.commit(checkpoint + 2);
        }
        assertThat(broker.values(topic)).containsExactlyElementsOf(expected);
    }

    /** Two checkpoints came to nothing: both transactions are aborted, and sent as one. */
    @Test
    void shouldSendTwoTransactionsAsOne_ifNeitherWasCommitted() throws Exception {
        for (boolean fromTopic : List.of(false, true)) {
            String to = broker.topic(2);
            KafkaSink<String> sink =
                    Kafka.write(broker.address(), to, Encoder.text()).transactionalIdPrefix(to);
            sink = fromTopic ? sink.replayFromTopic() : sink;
            CheckpointedWriter<String> writer = open(sink, context(0, 1, 0, "first"));
            for (int checkpoint = 1; checkpoint <= 4; checkpoint++) {
                writer.write("before " + checkpoint);
                writer.save(checkpoint);
            }
            writer.commit(4);
            assertThat(broker.values(to))
                    .as("from the topic: %s", fromTopic)
                    .containsExactlyInAnyOrder("before 1", "before 2", "before 3", "before 4");

            byte[] saved = new byte[0];
            for (int checkpoint = 5; checkpoint <= 8; checkpoint++) {
                writer.write("before " + checkpoint);
                saved = writer.save(checkpoint);
            }
            writer.close();
            CheckpointedWriter<String> again = open(sink, context(0, 1, 8, "second"));
            again.restore(List.of(saved));
            assertThat(broker.values(to))
                    .as("from the topic: %s", fromTopic)
                    .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, 8)
                            .mapToObj(checkpoint -> "before " + checkpoint)
                            .toList());
        }
    }

    /** Others write to the same partitions meanwhile, so what is to be read lies between what is not. */
    @Test
    void shouldReplayFromTheTopic() throws Exception {
        KafkaSink<String> sink = sink().key(value -> value.substring(0, value.indexOf(' ')))
                .headers(value -> List.of(new KafkaHeader("length", new byte[] {(byte) value.length()})))
                .tombstoneIf(value -> value.endsWith("7"))
                .replayFromTopic();
        CheckpointedWriter<String> writer = open(sink, context(0, 1, 0, "first"));
        List<String> expected = new ArrayList<>();
        for (int n = 0; n < 300; n++) {
            writer.write(n % 7 + " is the key of " + n);
            expected.add(n % 7 + ": " + (n % 10 == 7 ? "null" : n % 7 + " is the key of " + n));
            if (n % 40 == 0) {
                writer.save(1 + n);
                broker.send(new ProducerRecord<>(topic, n / 40 % 2, "other".getBytes(UTF_8), ("" + n).getBytes(UTF_8)));
                expected.add("other: " + n);
            }
        }
        byte[] saved = writer.save(400);
        List<String> sent = all("read_uncommitted");
        writer.close();
        assertThat(saved).as("offsets instead of messages").hasSizeLessThan(1_000);
        assertThat(broker.read(topic)).as("of the others alone").hasSize(8);

        open(sink, context(0, 1, 400, "second")).restore(List.of(saved));
        List<String> visible = all("read_committed");
        assertThat(visible.stream().map(TransactionsTest::withoutPlace)).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(sent).as("to the same partitions, as they were").containsAll(visible);
        open(sink, context(0, 1, 400, "third")).restore(List.of(saved));
        assertThat(all("read_committed")).isEqualTo(visible);
    }

    /** Partition, time, headers, key and value of each message. */
    private List<String> all(String isolation) throws Exception {
        return broker.read(topic, isolation).stream()
                .map(message -> message.partition() + " " + message.timestamp() + " "
                        + Arrays.toString(message.headers().toArray()) + " | "
                        + new String(message.key(), UTF_8) + ": "
                        + (message.value() == null ? null : new String(message.value(), UTF_8)))
                .toList();
    }

    private static String withoutPlace(String message) {
        return message.substring(message.indexOf('|') + 2);
    }

    /** The checkpoint before it has nothing that is not committed. */
    @Test
    void shouldSayThatTheTopicHasDeletedMessages_andGoOnFromAnOlderCheckpoint() throws Exception {
        KafkaSink<String> sink = sink().partition(value -> 0).replayFromTopic();
        CheckpointedWriter<String> writer = open(sink, context(0, 1, 0, "first"));
        writer.write("a");
        byte[] older = writer.save(1);
        writer.commit(1);
        writer.write("b");
        writer.write("c");
        byte[] newest = writer.save(2);
        long last = broker.end(topic, 0) - 1; // before the broker adds a marker, which it does some time after close
        writer.close();
        broker.deleteBefore(topic, 0, last);

        assertThatThrownBy(() -> open(sink, context(0, 1, 2, "second")).restore(List.of(newest)))
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("cannot send the messages of an aborted transaction to topic " + topic
                        + " again: of 2 messages, 0 are in the topic")
                .hasMessageContaining("Restore an older checkpoint");
        CheckpointedWriter<String> again = open(sink, context(0, 1, 1, "third"));
        again.restore(List.of(older));
        again.write("b");
        again.write("c");
        again.save(2);
        again.commit(2);
        assertThat(broker.values(topic)).containsExactly("b", "c");
    }

    /** As if brokers had lost messages, and given their offsets to others. */
    @Test
    void shouldNotReplayMessagesOfOthers() throws Exception {
        SinkSettings settings = SinkSettings.of(ClientSettings.of(broker.address()), topic);
        ProducerRecord<byte[], byte[]> own = new ProducerRecord<>(topic, 1, null, "own".getBytes(UTF_8));
        broker.send(topic, 1, "other");
        OutputName name = new OutputName(topic, 0, 0);
        try (Sender sender =
                Sender.transactional(settings, name.transactionalIds().get(0))) {
            SentOffsets places = new SentOffsets();
            places.add(own);
            places.arrived(1, 0);
            places.complete(sender, settings);
            sender.begin();
            assertThatThrownBy(() -> places.sendTo(sender, settings))
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageContaining("of 1 messages, 1 are in the topic, but not with what the job has written");
        }
    }

    /** A broker that gets a batch a second time may have forgotten where it is. */
    @Test
    void shouldRefuseACheckpoint_ifItIsNotKnownWhereMessagesAre() throws Exception {
        SinkSettings settings = SinkSettings.of(ClientSettings.of(broker.address()), topic);
        try (Sender sender = Sender.plain(settings)) {
            SentOffsets places = new SentOffsets();
            for (int n = 0; n < 2; n++) {
                places.add(new ProducerRecord<>(topic, new byte[1]));
            }
            places.arrived(0, 5);
            places.arrived(0, -1);
            assertThatThrownBy(() -> places.complete(sender, settings))
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageContaining("Kafka has taken 2 messages, and says of 1 where they are");
        }
    }

    @Test
    void shouldRefuseStateOfAnotherKind() {
        assertThatThrownBy(() -> restored(1, "second", new byte[] {1, 2, 3}))
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("the checkpoint has no state of such an output");
    }
}
