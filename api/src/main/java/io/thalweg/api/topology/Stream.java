// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import io.thalweg.api.codec.Signatures;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.Source;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.graph.KeySpec;
import io.thalweg.api.graph.Limit;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.operator.EventTimeFunction;
import io.thalweg.api.operator.FilterFunction;
import io.thalweg.api.operator.FlatMapFunction;
import io.thalweg.api.operator.JoinFunction;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.NullableFunction;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorSupplier;
import io.thalweg.api.operator.Partitioner;
import io.thalweg.api.operator.PeekFunction;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.window.EventDuration;
import io.thalweg.api.window.WindowSpec;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records flowing from one operator. Each method that adds an operator returns the stream that leaves it;
 * {@link #name}, {@link #parallelism}, {@link #isolate}, {@link #blocking} and {@link #as} speak of the operator that
 * this stream leaves. A stream may be used several times: each use gets all records.
 *
 * @param <T> records; never null
 */
public final class Stream<T> {
    private final GraphBuilder builder;
    private final NodeDraft node;
    private final String port;
    private final Grouping grouping;
    private final @Nullable Type<Object> sideType;

    Stream(GraphBuilder builder, NodeDraft node, String port, Grouping grouping) {
        this(builder, node, port, grouping, null);
    }

    private Stream(
            GraphBuilder builder, NodeDraft node, String port, Grouping grouping, @Nullable Type<Object> sideType) {
        this.builder = builder;
        this.node = node;
        this.port = port;
        this.grouping = grouping;
        this.sideType = sideType;
    }

    // ---- operators

    public <R> Stream<R> map(MapFunction<? super T, ? extends R> function) {
        return add(new NodeSpec.Map(cast(function)), result(function, MapFunction.class));
    }

    public Stream<T> filter(FilterFunction<? super T> function) {
        return add(new NodeSpec.Filter(cast(function)), type());
    }

    /** Any number of records for each; a lambda's element type cannot be read, so say it with {@link #as}. */
    public <R> Stream<R> flatMap(FlatMapFunction<? super T, ? extends R> function) {
        return add(new NodeSpec.FlatMap(cast(function)), elements(function));
    }

    public Stream<T> peek(PeekFunction<? super T> function) {
        return add(new NodeSpec.Peek(cast(function)), type());
    }

    /** The records of this stream and of the others, of which each keeps its order. */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public final Stream<T> union(Stream<T>... others) {
        return union(List.of(others));
    }

    /** The records of this stream and of the others, of which each keeps its order; as many as there are. */
    public Stream<T> union(List<Stream<T>> others) {
        List<Stream<?>> inputs = new ArrayList<>(List.of(this));
        inputs.addAll(others);
        NodeDraft union = builder.add(new NodeSpec.Union(), inputs);
        union.output = type();
        return new Stream<>(builder, union, Edge.MAIN, new Grouping.Auto());
    }

    /** A user's operator; the supplier makes one for every task. */
    public <R> Stream<R> process(OperatorSupplier<? extends Operator<? super T, R>> supplier) {
        return add(new NodeSpec.Process(cast(supplier)), emitted(supplier, Operator.class, 1));
    }

    /**
     * This stream and another one, of records of a different type, for one operator that is handed both. Each stream keeps its
     * grouping, and without one goes as to any other operator: task i to task i if both sides have the same parallelism,
     * otherwise to each in turn. So records of both that belong together meet in one task only if a grouping leads them there;
     * with {@code second.broadcast()} every task is handed all of the second stream. Streams connected by key share state and
     * timers: see {@link KeyedStream#connect}.
     *
     * <pre>{@code readings.connect(limits.broadcast()).process(OverLimit::new)}</pre>
     *
     * @param second its records come to {@code processSecond}, those of this stream to {@code processFirst}
     */
    public <U> ConnectedStreams<T, U> connect(Stream<U> second) {
        return new ConnectedStreams<>(this, second);
    }

    /**
     * This stream and another one, all of which every task is handed, such as rules that change while the job runs. What the
     * operator keeps of it, a checkpoint saves once, and every task gets after a restore.
     *
     * <pre>{@code readings.withBroadcast(limits).process(OverLimit::new)}</pre>
     *
     * @param second its records come to {@code processBroadcast}, those of this stream to {@code process}
     */
    public <U> BroadcastStreams<T, U> withBroadcast(Stream<U> second) {
        return new BroadcastStreams<>(this, second.broadcast());
    }

    /**
     * What the operator before emitted to a side output, or a window's late records. The operator must name the side output in its
     * method {@code sideOutputs()}, the window in {@code lateTo}: one that nobody emits to is refused when the topology is built.
     */
    public <S> Stream<S> side(SideOutput<S> side) {
        return new Stream<>(builder, node, side.name(), new Grouping.Auto(), cast(side.type()));
    }

    /** Leads the stream to a sink. */
    public SinkStage to(Sink<? super T> sink) {
        NodeDraft draft = builder.add(new NodeSpec.Sink(cast(sink)), List.of(this));
        draft.parallelism = sink.requiredParallelism();
        draft.blocking = sink.blocking();
        return new SinkStage(draft);
    }

    // ---- time and windows

    /**
     * Gives records their event time. Must come before the first grouping, where each record's split is still known.
     *
     * @param maxDisorder how far a record's time may lie before the greatest seen in its split without being late
     */
    public Stream<T> eventTime(EventTimeFunction<? super T> function, Duration maxDisorder) {
        return eventTime(function, maxDisorder, Duration.ZERO);
    }

    /** @param idleAfter a split that is silent for so long no longer holds the watermark back; zero for never */
    public Stream<T> eventTime(EventTimeFunction<? super T> function, Duration maxDisorder, Duration idleAfter) {
        return add(
                new NodeSpec.EventTime(
                        cast(function),
                        EventDuration.atLeastZero("the disorder of event times", maxDisorder),
                        EventDuration.atLeastZero("the time after which a split is idle", idleAfter),
                        NodeSpec.EventTime.NOT_ALIGNED),
                type());
    }

    /**
     * The same as {@link #eventTime(EventTimeFunction, Duration)} with a function that gives an {@link Instant}; null if
     * the record has no time, which makes it a bad one.
     *
     * <pre>{@code payments.eventInstant(Payment::madeAt, Duration.ofSeconds(5))}</pre>
     */
    public Stream<T> eventInstant(NullableFunction<? super T, Instant> function, Duration maxDisorder) {
        return eventInstant(function, maxDisorder, Duration.ZERO);
    }

    /** @param idleAfter as in {@link #eventTime(EventTimeFunction, Duration, Duration)} */
    public Stream<T> eventInstant(
            NullableFunction<? super T, Instant> function, Duration maxDisorder, Duration idleAfter) {
        return eventTime(EventTimeFunction.ofInstant(function), maxDisorder, idleAfter);
    }

    /** Windows over all records together, in one task. */
    public WindowedStream<Unkeyed, T> window(WindowSpec window) {
        return keyBy(record -> Unkeyed.ALL).window(window);
    }

    /** Lets each record pass once; remembers every one it has seen. */
    public Stream<T> distinct() {
        return keyBy(record -> record, cast(type())).distinct();
    }

    /**
     * Lets the first {@code records} records pass, of all tasks together, and drops the others. When they have passed, sources
     * that nothing else wants to hear of end as if their input had ended there, so a job ends by itself even if its input never
     * does; other sources go on. Counts in one task, whatever the parallelism.
     *
     * <p>Which records come first is certain only if they come from one split through one task at a time; {@code --explain}
     * marks the operator as not deterministic.
     *
     * <pre>{@code topology.from(Sources.socket("localhost", 9999)).limit(100).to(Sinks.print());}</pre>
     *
     * @param records at least 0; with 0 nothing is read
     * @throws IllegalArgumentException if it is negative
     */
    public Stream<T> limit(long records) {
        Stream<T> limited = add(new Limit(records), type());
        limited.node.parallelism = 1;
        limited.node.fixed = true;
        return limited;
    }

    /**
     * Joins with a table: a bounded source that every task reads whole when it opens, and keeps in memory by key. Of rows with
     * equal keys the last one counts. This is a left join: a record whose key has no row comes to the function with null. A null
     * key matches nothing, not even another null, as in SQL. Bad rows of the table, and those whose key function throws {@link
     * io.thalweg.api.operator.BadRecordException}, are counted and kept once, whatever the parallelism.
     *
     * <pre>{@code readings.join(places, Place::sensor, Reading::sensor, Job::placed)}</pre>
     *
     * @param tableKey the key of a row; of the same type as {@code key}, an {@code int} and a {@code long} never being equal
     * @param key the key of a record
     * @param function called with null if the table has no row for the key; returning null drops the record, which makes it an
     *     inner join
     * @throws io.thalweg.api.graph.TopologyException if the types of the two keys differ, or cannot be read from the functions
     */
    public <U, K, L, R> Stream<R> join(
            Source<U> table,
            NullableFunction<? super U, ? extends K> tableKey,
            NullableFunction<? super T, ? extends L> key,
            JoinFunction<? super T, ? super U, ? extends R> function) {
        JoinKeys.check(builder, tableKey, key);
        return add(
                new NodeSpec.TableJoin(cast(table), cast(tableKey), cast(key), cast(function)),
                result(function, JoinFunction.class));
    }

    /**
     * Asks a service or a database for what belongs to each record, with many requests in flight and without blocking a thread.
     * Options come first, then the function:
     *
     * <pre>{@code
     * orders.async()
     *         .concurrency(50)
     *         .timeout(Duration.ofSeconds(5))
     *         .retry(3, Duration.ofMillis(100))
     *         .join(client::lookup, Job::withUser)
     * }</pre>
     *
     * Results keep the event time of their record, and no watermark overtakes a record that waits for its result. A checkpoint
     * waits for the requests in flight, so that it holds none. Runs embedded, on Flink and on Storm.
     */
    public AsyncStream<T> async() {
        return new AsyncStream<>(this);
    }

    /**
     * Joins two streams: records of equal keys whose event times are close to each other, or which fall into the same window.
     *
     * <pre>{@code
     * orders.join(payments)
     *         .where(Order::id)
     *         .equalTo(Payment::order)
     *         .between(Duration.ZERO, Duration.ofMinutes(5)) // a payment may come up to five minutes after its order
     *         .inner((order, payment) -> new Paid(order.id(), payment.sum()))
     *
     * orders.join(payments)
     *         .where(Order::shop)
     *         .equalTo(Payment::shop)
     *         .window(Windows.tumbling(Duration.ofHours(1)))
     *         .coGroup(Job::balance) // all orders and payments of a shop and an hour
     * }</pre>
     *
     * @param right the other stream; this one is called left
     */
    public <U> StreamJoin<T, U> join(Stream<U> right) {
        return new StreamJoin<>(this, right);
    }

    // ---- groupings

    /**
     * Groups records by a key: those of equal keys go to the same task.
     *
     * @param key must depend on nothing but the record. It must not return null: that fails the job with a message that names the
     *     record. Leave such records out with {@link #filter}, give them a key of their own, or throw {@link
     *     io.thalweg.api.operator.BadRecordException} to have them counted and kept
     */
    public <K> KeyedStream<K, T> keyBy(MapFunction<? super T, ? extends K> key) {
        return keyBy(key, cast(result(key, MapFunction.class)));
    }

    /** @param type needed if the key's type cannot be read from the function */
    public <K> KeyedStream<K, T> keyBy(MapFunction<? super T, ? extends K> key, @Nullable Type<K> type) {
        if (type == null) {
            throw new io.thalweg.api.graph.TopologyException(
                    builder.name(),
                    node.name == null ? node.spec.kind() : node.name,
                    "the type of the key cannot be read from the function given to keyBy after it; add it: keyBy(…, Type.of(…))");
        }
        KeySpec spec = new KeySpec(cast(key), cast(type));
        return new KeyedStream<>(grouped(new Grouping.ByKey(spec)), spec);
    }

    /** {@link #partialKeyBy(MapFunction, int)} with two parts. */
    public <K> PartiallyKeyedStream<K, T> partialKeyBy(MapFunction<? super T, ? extends K> key) {
        return partialKeyBy(key, 2);
    }

    /**
     * Groups records by a key in two steps, for keys so frequent that one task cannot keep up with them: the records of each key
     * are dealt to several parts in turn, each part is aggregated in its task, and the results of all parts are merged in one. The results are those of
     * {@link #keyBy}, as long as the order of records does not matter to the aggregate; sums of doubles may differ in their last digits.
     * It costs an object for each record, and state for each part; where keys are equally frequent, {@link #keyBy} is faster.
     *
     * <pre>{@code clicks.partialKeyBy(Click::page, 4).window(Windows.tumbling(Duration.ofMinutes(1))).aggregate(Aggregates.count())}</pre>
     *
     * @param key as in {@link #keyBy}
     * @param parts of each key, at least 1; more than there are tasks bring nothing
     */
    public <K> PartiallyKeyedStream<K, T> partialKeyBy(MapFunction<? super T, ? extends K> key, int parts) {
        return new PartiallyKeyedStream<>(this, keyBy(key).key(), parts);
    }

    public Stream<T> forward() {
        return grouped(new Grouping.Forward());
    }

    public Stream<T> shuffle() {
        return grouped(new Grouping.Shuffle());
    }

    public Stream<T> localOrShuffle() {
        return grouped(new Grouping.LocalOrShuffle());
    }

    public Stream<T> broadcast() {
        return grouped(new Grouping.Broadcast());
    }

    public Stream<T> global() {
        return grouped(new Grouping.Global());
    }

    /**
     * Each record goes to the task that the partitioner chooses, as {@code stream.partitionBy((order, tasks) -> order.region() % tasks)}.
     * The stream that follows has no key: state by key needs {@link #keyBy}.
     */
    public Stream<T> partitionBy(Partitioner<? super T> partitioner) {
        return grouped(new Grouping.Custom(cast(partitioner)));
    }

    private Stream<T> grouped(Grouping next) {
        return new Stream<>(builder, node, port, next, sideType);
    }

    // ---- properties of the operator before

    public Stream<T> name(String name) {
        node.name(name);
        return this;
    }

    public Stream<T> parallelism(int parallelism) {
        SinkStage.checkParallelism(parallelism);
        if (node.fixed && node.parallelism != parallelism) {
            throw new IllegalArgumentException(
                    "a " + node.spec.kind() + " runs in " + node.parallelism + " task, not in " + parallelism);
        }
        node.parallelism = parallelism;
        return this;
    }

    /** Keeps the operator apart from its neighbours: a task of its own, with queues before and behind. */
    public Stream<T> isolate() {
        node.isolated = true;
        return this;
    }

    /** The operator may block (a database, a service): its tasks get threads of their own. */
    public Stream<T> blocking() {
        node.blocking = true;
        return this;
    }

    /**
     * Speaks of {@link #eventTime}: a split of the source is read no further while its watermark is ahead of that of the slowest by
     * more than this, in whichever task that is, so that windows and joins behind need not keep what it would bring. Splits that
     * have ended or are idle are not waited for; one that never had a record is, unless {@code idleAfter} is given. Results are the
     * same.
     *
     * <pre>{@code topology.from(topics).eventTime(Order::madeAt, disorder, idleAfter).alignedWithin(Duration.ofMinutes(5))}</pre>
     *
     * @param bound zero or more; the last record of a split may lie further ahead
     * @throws IllegalStateException if the operator before gives no event time
     */
    public Stream<T> alignedWithin(Duration bound) {
        node.spec = NodeSpec.EventTime.aligned(
                node.spec, EventDuration.atLeastZero("the time by which splits may run apart", bound));
        return this;
    }

    public <R> Stream<R> as(Type<R> type) {
        node.output = cast(type);
        return new Stream<>(builder, node, port, grouping);
    }

    public <R> Stream<R> as(Class<R> type) {
        return as(Type.of(type));
    }

    // ----

    <R> Stream<R> add(NodeSpec spec, @Nullable Type<?> output) {
        return add(spec, List.of(this), output);
    }

    <R> Stream<R> add(NodeSpec spec, List<Stream<?>> inputs, @Nullable Type<?> output) {
        NodeDraft draft = builder.add(spec, inputs);
        draft.output = cast(output);
        return new Stream<>(builder, draft, Edge.MAIN, new Grouping.Auto());
    }

    GraphBuilder builder() {
        return builder;
    }

    NodeDraft node() {
        return node;
    }

    String port() {
        return port;
    }

    Grouping grouping() {
        return grouping;
    }

    /** The type of the records; refuses if it is not known yet. */
    Type<T> recordType() {
        Type<Object> type = type();
        if (type == null) {
            throw new IllegalStateException("the type of the records is not known yet; say it with .as(Type.of(…))");
        }
        return cast(type);
    }

    @Nullable Type<Object> type() {
        return sideType != null ? sideType : node.output;
    }

    static @Nullable Type<Object> result(Serializable function, Class<?> contract) {
        return cast(Signatures.resultOf(function, contract));
    }

    /** What a function that returns an iterable of records returns in it; null if that cannot be read. */
    static @Nullable Type<?> elements(FlatMapFunction<?, ?> function) {
        Type<?> iterable = Signatures.resultOf(function, FlatMapFunction.class);
        return iterable == null || iterable.arguments().size() != 1
                ? null
                : iterable.arguments().get(0);
    }

    /** What an operator emits, read from its class: that of {@code Operator::new}, or else of one made to look at. */
    static @Nullable Type<?> emitted(OperatorSupplier<?> supplier, Class<?> contract, int index) {
        Type<?> operator = Signatures.resultOf(supplier, OperatorSupplier.class);
        Class<?> made = operator == null ? supplier.get().getClass() : operator.raw();
        return Signatures.argument(made, contract, index);
    }

    /** The graph holds records as Object; the signatures above make sure that types fit. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals", "NullAway"})
    static <X> X cast(@Nullable Object object) {
        return (X) object;
    }
}
