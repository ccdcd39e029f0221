// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.LiveReader;
import io.thalweg.api.connector.LiveSource;
import io.thalweg.api.connector.Secret;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.StartContext;
import io.thalweg.api.connector.Suggestion;
import io.thalweg.api.connector.WriteTarget;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads topics: each partition is a split, and each task has one consumer. Endless, unless {@link #untilLatest} is
 * called. Replayable, so it takes part in checkpoints. A message that the decoder refuses is a bad record, with its
 * topic, partition and offset; so is one without a value, unless {@link #withRecord} is called. If no broker answers,
 * or a topic does not exist, the job fails when it starts; later it waits for the cluster, with a warning. Immutable:
 * each method returns another source. Made by {@link Kafka}.
 *
 * @param <T> records
 */
public final class KafkaSource<T> implements LiveSource<T> {
    private static final long serialVersionUID = 1L;

    private final SourceSettings source;
    private final MessageDecoder<T> decoder;

    private KafkaSource(SourceSettings source, MessageDecoder<T> decoder) {
        this.source = source;
        this.decoder = decoder;
    }

    static <T> KafkaSource<T> of(String servers, Topics topics, Decoder<T> decoder) {
        return new KafkaSource<>(
                SourceSettings.of(ClientSettings.of(servers), topics), new MessageDecoder.Values<>(decoder));
    }

    private KafkaSource<T> with(SourceSettings other) {
        return new KafkaSource<>(other, decoder);
    }

    /** The same as {@link #withRecord(Decoder)}, with the bytes of each key. */
    public KafkaSource<KafkaRecord<byte[], T>> withRecord() {
        return withRecord(Decoder.bytes());
    }

    /**
     * Reads the same values with key, headers, timestamp, topic, partition and offset, and also messages without a value
     * (tombstones). A message whose key is refused is a bad record, too; one without a key is not.
     *
     * <pre>{@code
     * topology.from(Kafka.read(servers, "orders", Json.decoder(Order.class)).withRecord(Decoder.text()))
     *         .eventTime(KafkaRecord::timestamp, Duration.ofSeconds(5))
     * }</pre>
     *
     * @param keys decodes the key of a message that has one
     * @throws IllegalStateException if it was called before
     */
    public <K> KafkaSource<KafkaRecord<K, T>> withRecord(Decoder<K> keys) {
        if (decoder instanceof MessageDecoder.Values<T> values) {
            return new KafkaSource<>(source, new MessageDecoder.Records<>(keys, values.decoder()));
        }
        throw new IllegalStateException("withRecord() was called twice");
    }

    /**
     * Reads only these partitions of each topic, by number from 0; all by default. A missing one fails the job when it
     * starts.
     *
     * @throws IllegalArgumentException if the set is empty, or a number is negative
     */
    public KafkaSource<T> partitions(Set<Integer> partitions) {
        return with(source.with(source.topics().only(partitions)));
    }

    /**
     * Sets where reading begins; {@link Start#earliest} by default. A job that is restored continues from its
     * checkpoint instead.
     */
    public KafkaSource<T> from(Start start) {
        return with(source.with(start));
    }

    /** Ends at the offsets that were the latest when the job started, so that the job ends too. */
    public KafkaSource<T> untilLatest() {
        return with(source.ending());
    }

    /**
     * Commits offsets to this consumer group once they are safe, so that other tools can show the job's lag. The job
     * itself continues from its checkpoint. No consumer may be a member of the group.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    public KafkaSource<T> group(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("the group needs a name");
        }
        return with(source.inGroup(name));
    }

    /**
     * Sets how often new partitions, and for a pattern new topics, are looked for; every minute by default. Never if it is
     * zero: then the job reads the partitions that there were when it first started, also after it is restored.
     *
     * @throws IllegalArgumentException if it is negative, or after {@link #untilLatest}
     */
    public KafkaSource<T> discovery(Duration interval) {
        if (interval.isNegative()) {
            throw new IllegalArgumentException("the interval of discovery must not be negative: " + interval);
        }
        if (source.untilLatest()) {
            throw new IllegalArgumentException("a source that ends looks for no new partitions");
        }
        return with(source.discovering(interval));
    }

    /** Sets what happens if the offset to continue from does not exist; {@link OutOfRange#FAIL} by default. */
    public KafkaSource<T> onOutOfRange(OutOfRange policy) {
        return with(source.with(policy));
    }

    /**
     * Sets how long to wait for a broker that does not answer when the job starts, before the job fails; 30 seconds by default. Where
     * the tasks run in the process that starts the job, {@code --connect-timeout} ({@code RunSettings.withConnectTimeout}) goes before it.
     *
     * @throws IllegalArgumentException if it is not longer than zero
     */
    public KafkaSource<T> connectTimeout(Duration atMost) {
        return with(source.with(source.settings().connectTimeout(atMost)));
    }

    /**
     * Sets how many bytes of messages each task may hold that it has not read; 64 MiB by default. When they are reached,
     * partitions are paused until half of it is read, except those of which the task holds nothing. So it holds at most
     * this and a batch of each partition, which has {@code max.poll.records} or {@code max.partition.fetch.bytes}. Each
     * message counts with what the JVM needs for it. What Kafka's consumer keeps itself is not counted: for each partition
     * one fetch at most; one answer of a broker is no larger than this, unless {@code fetch.max.bytes} is set.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public KafkaSource<T> readAhead(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("a task must be able to read at least 1 byte ahead, not " + bytes);
        }
        return with(source.readingAhead(bytes));
    }

    /**
     * Sets a property of Kafka's consumer: {@code set("fetch.max.bytes", "10485760")}. Passwords and keys appear in no
     * message.
     *
     * @throws IllegalArgumentException for a property that the source sets itself; the message says what to call
     *     instead
     */
    public KafkaSource<T> set(String name, String value) {
        return with(source.with(name, value));
    }

    /**
     * The same, with a value that is read when a client is made, where the task runs, and appears nowhere:
     *
     * <pre>{@code set("sasl.jaas.config", Secret.environment("KAFKA_LOGIN"))}</pre>
     */
    public KafkaSource<T> set(String name, Secret value) {
        return with(source.with(name, value));
    }

    /**
     * The same with each of these, such as those that a user gives to the job: {@code set(settings.startingWith("kafka."))}.
     * A value that is {@code ${env:NAME}} is {@link Secret#environment}.
     *
     * @param properties by name; Kafka's consumer does not mind those of other clients
     * @throws IllegalArgumentException as {@link #set(String, String)}
     */
    public KafkaSource<T> set(Map<String, String> properties) {
        return with(source.with(properties));
    }

    @Override
    public String name() {
        return source.toString();
    }

    @Override
    public String describe() {
        return source.describe();
    }

    @Override
    public long readAheadBytes() {
        return source.readAheadBytes();
    }

    @Override
    public Type<T> type() {
        return decoder.type();
    }

    @Override
    public void awaitReady(StartContext context) throws InterruptedException {
        BrokerWait.of("read " + source.topics(), source.settings()).await(context);
    }

    @Override
    public List<String> splits(int parallelism) throws InterruptedException {
        if (source.start() instanceof Start.Committed && source.group().isEmpty()) {
            throw new ConnectorException("Start.committed() needs group(…): whose offsets are meant?");
        }
        List<String> splits = new TopicList(source.settings()).splits(source.topics());
        if (source.start() instanceof Start.Offsets start) {
            checkOffsets(start, splits);
        }
        return splits;
    }

    @Override
    public List<String> discover(int parallelism) throws InterruptedException {
        return TopicList.ofRunning(source.settings()).splits(source.topics());
    }

    private void checkOffsets(Start.Offsets start, List<String> splits) {
        Set<String> others = new TreeSet<>(start.offsets().keySet());
        splits.forEach(others::remove);
        if (!others.isEmpty()) {
            String first = others.iterator().next();
            throw new ConnectorException("Start.offsets(…) names " + first + ", which is no partition of " + name()
                    + Suggestion.of(first, splits));
        }
    }

    @Override
    public void checkSplits(List<String> splits) {
        for (String split : splits) {
            TopicPartition partition = Split.of(split);
            if (!source.topics().has(partition.topic()) || !source.topics().has(partition.partition())) {
                throw new ConnectorException(
                        "it reads " + name() + ", but the checkpoint was reading " + split + ", too");
            }
        }
    }

    @Override
    public Duration discovery() {
        return source.discovery();
    }

    @Override
    public boolean endless() {
        return !source.untilLatest();
    }

    /** Partitions of one topic differ by one. */
    @Override
    public int spread(String split) {
        TopicPartition partition = Split.of(split);
        return partition.topic().hashCode() + partition.partition();
    }

    @Override
    public boolean replayable() {
        return true;
    }

    /** One that ends where the topic ended when the job started reads nothing that the job writes. */
    @Override
    public boolean reads(WriteTarget place) {
        return !source.untilLatest()
                && place instanceof WriteTarget.Topic topic
                && source.topics().has(topic.name())
                && topic.isAt(source.settings().servers());
    }

    @Override
    public LiveReader<T> open(SourceContext context) {
        return KafkaReader.open(source, decoder.open(), context);
    }
}
