// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Encoder;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Secret;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.StartContext;
import io.thalweg.api.connector.WriteTarget;
import io.thalweg.api.operator.EventTimeFunction;
import io.thalweg.api.operator.FilterFunction;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.NullableFunction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Time;

/**
 * Writes records to a topic as messages. In a job with {@link Guarantee#EXACTLY_ONCE} messages are written in
 * transactions: consumers with {@code isolation.level=read_committed} see each of them once, when the next checkpoint
 * has completed. With a weaker guarantee messages are visible at once, and some are duplicated after a failure. A
 * record that Kafka would refuse is bad: one that is too large, or without a key for a compacted topic, say. If the
 * topic does not exist or no broker answers, the job fails when it starts. A function that throws {@code BadRecordException}
 * makes the record bad; any other exception fails the job. Immutable: each method returns another sink. Made by {@link Kafka}.
 *
 * @param <T> records
 */
public final class KafkaSink<T> implements Sink<T> {
    private static final long serialVersionUID = 1L;

    private final SinkSettings sink;
    private final MessageParts<T> parts;

    private KafkaSink(SinkSettings sink, MessageParts<T> parts) {
        this.sink = sink;
        this.parts = parts;
    }

    static <T> KafkaSink<T> of(String servers, String topic, Encoder<T> value) {
        return new KafkaSink<>(SinkSettings.of(ClientSettings.of(servers), topic), MessageParts.of(value));
    }

    private KafkaSink<T> with(SinkSettings other) {
        return new KafkaSink<>(other, parts);
    }

    private KafkaSink<T> with(MessageParts<T> others) {
        return new KafkaSink<>(sink, others);
    }

    /**
     * Sets the key of each message, as text in UTF-8; no key if the function returns null, which is the default.
     * Messages with the same key go to the same partition, where they stay in the order in which a task has written
     * them.
     */
    public KafkaSink<T> key(NullableFunction<? super T, String> function) {
        return key(function, Encoder.text());
    }

    /** Sets the key of each message, serialized by an encoder; no key if the function returns null. */
    public <K> KafkaSink<T> key(NullableFunction<? super T, K> function, Encoder<K> encoder) {
        return with(parts.withKey(new MessageParts.Key<>(function, encoder)));
    }

    /**
     * Sets the partition of each message, from 0; Kafka chooses it if the function returns null, which is the default.
     * A partition that the topic does not have makes the record bad.
     */
    public KafkaSink<T> partition(NullableFunction<? super T, Integer> function) {
        return with(parts.withPartition(function));
    }

    /** Sets the headers of each message, in their order; none by default. The function must not return null. */
    public KafkaSink<T> headers(MapFunction<? super T, List<KafkaHeader>> function) {
        return with(parts.withHeaders(function));
    }

    /**
     * Sets the timestamp of each message in epoch milliseconds; the time of writing if the function returns null, which
     * is the default. A timestamp before 1970, or out of the topic's range, makes the record bad.
     */
    public KafkaSink<T> timestamp(EventTimeFunction<? super T> function) {
        return with(parts.withTimestamp(function));
    }

    /**
     * Writes some records as messages without a value (tombstones), which delete their key in a compacted topic. The
     * encoder is not called for them. Without this, a record whose encoder returns null is bad.
     *
     * <pre>{@code Kafka.write(servers, "users", Json.<User>encoder()).key(User::id).tombstoneIf(User::gone)}</pre>
     */
    public KafkaSink<T> tombstoneIf(FilterFunction<? super T> condition) {
        return with(parts.withTombstones(condition));
    }

    /**
     * Sets the prefix of transactional ids, and of the consumer groups with the same names; by default the names of the
     * topology and of the sink. Two jobs that run at the same time must not use the same prefix, because they would
     * fence each other off.
     *
     * @throws IllegalArgumentException if the prefix is blank
     */
    public KafkaSink<T> transactionalIdPrefix(String prefix) {
        if (prefix.isBlank()) {
            throw new IllegalArgumentException("the prefix of transactional ids must not be blank");
        }
        return with(sink.withIdPrefix(prefix));
    }

    /**
     * Writes without transactions, even if the job has a stronger guarantee: some messages are duplicated after a
     * failure.
     */
    public KafkaSink<T> atLeastOnce() {
        return with(sink.atLeastOnceOnly());
    }

    /**
     * Keeps no copy of what is written, in a job with {@link Guarantee#EXACTLY_ONCE}: a checkpoint holds the offsets of the messages
     * instead of the messages, which takes less memory, disk and time. If the job dies before it has committed them, it reads them from the
     * topic when it is restored, and sends them once more: a topic keeps messages of aborted transactions as long as others. So the topic
     * must keep messages for longer than the job may be away, must not be compacted, and the job must be allowed to read it. If it has
     * deleted some, the job is not restored, and says so; it can be from an older checkpoint.
     */
    public KafkaSink<T> replayFromTopic() {
        return with(sink.replayingFromTopic());
    }

    /**
     * Sets how long to wait for a broker that does not answer when the job starts, before the job fails; 30 seconds by default. Where
     * the tasks run in the process that starts the job, {@code --connect-timeout} ({@code RunSettings.withConnectTimeout}) goes before it.
     *
     * @throws IllegalArgumentException if it is not longer than zero
     */
    public KafkaSink<T> connectTimeout(Duration atMost) {
        return with(sink.with(sink.settings().connectTimeout(atMost)));
    }

    /**
     * Sets a property of Kafka's producer: {@code set("compression.type", "lz4")}. Passwords and keys appear in no
     * message.
     *
     * @throws IllegalArgumentException for a property that the sink sets itself; the message says what to call instead
     */
    public KafkaSink<T> set(String name, String value) {
        return with(sink.with(name, value));
    }

    /**
     * The same, with a value that is read when a client is made, where the task runs, and appears nowhere:
     *
     * <pre>{@code set("sasl.jaas.config", Secret.environment("KAFKA_LOGIN"))}</pre>
     */
    public KafkaSink<T> set(String name, Secret value) {
        return with(sink.with(name, value));
    }

    /**
     * The same with each of these, such as those that a user gives to the job: {@code set(settings.startingWith("kafka."))}.
     * A value that is {@code ${env:NAME}} is {@link Secret#environment}.
     *
     * @param properties by name; Kafka's producer does not mind those of other clients
     * @throws IllegalArgumentException as {@link #set(String, String)}
     */
    public KafkaSink<T> set(Map<String, String> properties) {
        return with(sink.with(properties));
    }

    /** Without the servers: a job may continue from its checkpoint when they have other names. */
    @Override
    public String name() {
        return sink.toString();
    }

    @Override
    public String describe() {
        return sink.describe();
    }

    @Override
    public List<WriteTarget> writes() {
        return List.of(new WriteTarget.Topic(sink.settings().servers(), sink.topic()));
    }

    @Override
    public boolean immediate() {
        return true;
    }

    @Override
    public boolean blocking() {
        return true;
    }

    @Override
    public void awaitReady(StartContext context) throws InterruptedException {
        BrokerWait.of("write " + sink, sink.settings()).await(context);
    }

    @Override
    public SinkWriter<T> open(SinkContext context) throws InterruptedException {
        boolean transactions = context.guarantee() == Guarantee.EXACTLY_ONCE
                && context.checkpoint() != SinkContext.NO_CHECKPOINTS
                && !sink.atLeastOnce();
        boolean weaker = context.guarantee() == Guarantee.EXACTLY_ONCE && !transactions;
        sink.check(weaker ? Guarantee.AT_LEAST_ONCE : context.guarantee());
        Consumer<String> warnings =
                context.task() == 0 ? context.reports()::warn : warning -> {}; // one task tells what concerns all
        MessageMaker<T> messages = MessageMaker.open(sink, parts, warnings);
        if (transactions && sink.fromTopic() && messages.compacted()) {
            throw new ConnectorException(
                    "cannot replay from " + sink
                            + ": it is compacted, and so does not keep messages of aborted transactions; leave replayFromTopic() out");
        }
        return transactions
                ? TransactionalWriter.open(sink, messages, context, Time.SYSTEM::nanoseconds)
                : PlainWriter.open(sink, messages, context, Time.SYSTEM::nanoseconds);
    }
}
