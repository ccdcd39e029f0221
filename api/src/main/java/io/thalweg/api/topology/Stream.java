// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import io.thalweg.api.codec.Signatures;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.Source;
import io.thalweg.api.graph.EdgeBuilder;
import io.thalweg.api.graph.GraphBuilder;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.graph.KeySpec;
import io.thalweg.api.graph.Limit;
import io.thalweg.api.graph.NodeBuilder;
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
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stream of records from one operator to the next. There are three kinds of methods:
 *
 * <ul>
 *   <li>Methods that add an operator, such as {@link #map} and {@link #process}, return the stream that the new operator emits.
 *   <li>Groupings, such as {@link #keyBy} and {@link #shuffle}, choose which task of the <em>next</em> operator a record goes to. Without
 *       one, records stay in their task if both operators have the same parallelism, and otherwise go to all tasks round robin.
 *   <li>{@link #name}, {@link #parallelism}, {@link #isolate}, {@link #blocking}, {@link #alignedWithin} and {@link #as} configure the
 *       operator that <em>emits</em> this stream.
 * </ul>
 *
 * <pre>{@code
 * topology.from(readings)
 *         .filter(reading -> reading.celsius() > 30) // adds an operator
 *         .name("hot")                               // names that operator
 *         .keyBy(Reading::sensor)                    // groups for the next one
 *         .window(Windows.tumbling(Duration.ofMinutes(1)))
 *         .aggregate(Aggregates.count())
 *         .to(Sinks.print());
 * }</pre>
 *
 * <p>A stream may be used more than once: each use gets all records. Functions must be serializable, because a cluster
 * runs them in other processes; they may capture only serializable values. An exception that a function throws fails
 * the job, with two exceptions: {@link io.thalweg.api.operator.BadRecordException} marks the record as bad, and {@link
 * io.thalweg.api.operator.RecordFailedException} retries it in a job with the guarantee {@code acked}. A
 * function must not change its input record: other operators and retries receive the same object.
 *
 * <p>Not thread-safe: describe a topology on one thread.
 *
 * @param <T> type of the records; they are never null
 */
public final class Stream<T> {
    private final GraphBuilder builder;
    private final NodeBuilder node;
    private final @Nullable SideOutput<?> side;
    private final Grouping grouping;

    /** @param side that it starts at; null for the main output */
    Stream(GraphBuilder builder, NodeBuilder node, @Nullable SideOutput<?> side, Grouping grouping) {
        this.builder = builder;
        this.node = node;
        this.side = side;
        this.grouping = grouping;
    }

    // ---- operators

    /**
     * Turns each record into exactly one other. The result keeps the event time of its record.
     *
     * <pre>{@code readings.map(Reading::celsius)}</pre>
     *
     * @param function must not return null; use {@link #filter} to drop records
     */
    public <R> Stream<R> map(MapFunction<? super T, ? extends R> function) {
        return add(new NodeSpec.Map(cast(function)), result(function, MapFunction.class));
    }

    /**
     * Keeps the records for which the function returns true and drops the others. Dropped records are not counted as
     * bad.
     */
    public Stream<T> filter(FilterFunction<? super T> function) {
        return add(new NodeSpec.Filter(cast(function)), type());
    }

    /**
     * Turns each record into any number of others, which keep its event time. They are drawn from the iterable one by
     * one as downstream has room (backpressure), so a lazy iterable never has to fit in memory. Other operators have their
     * turns in between; behind an operator of your own ({@link #process}) in the same chain only with {@link #isolate}. The element
     * type of a lambda cannot be read from its signature; declare it with {@link #as}.
     *
     * <pre>{@code lines.flatMap(line -> List.of(line.split(" "))).as(String.class)}</pre>
     *
     * @param function returns an empty iterable for no records, never null and no null elements
     */
    public <R> Stream<R> flatMap(FlatMapFunction<? super T, ? extends R> function) {
        return add(new NodeSpec.FlatMap(cast(function)), elements(function));
    }

    /**
     * Calls a function for each record, for its side effect, and passes the record on. For debugging and counting.
     *
     * @param function must not change the record
     */
    public Stream<T> peek(PeekFunction<? super T> function) {
        return add(new NodeSpec.Peek(cast(function)), type());
    }

    /**
     * Merges this stream with others of the same type. Each stream keeps its own order; records of different streams
     * interleave in any order. The watermark is the minimum over all inputs.
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public final Stream<T> union(Stream<T>... others) {
        return union(List.of(others));
    }

    /**
     * The same as {@link #union(Stream...)}, for a list of streams.
     *
     * @param others may be empty
     */
    public Stream<T> union(List<Stream<T>> others) {
        List<Stream<?>> inputs = new ArrayList<>(List.of(this));
        inputs.addAll(others);
        return add(new NodeSpec.Union(), inputs, type());
    }

    /**
     * Adds a user's operator: one with fields, a lifecycle and side outputs. For state per key and timers, use {@link
     * KeyedStream#process}.
     *
     * @param supplier makes one operator for each task; also called while the topology is described
     */
    public <R> Stream<R> process(OperatorSupplier<? extends Operator<? super T, R>> supplier) {
        return add(new NodeSpec.Process(cast(supplier)), emitted(supplier, Operator.class, 1));
    }

    /**
     * Connects this stream with one of another type, for an operator that receives both. Each stream keeps its
     * grouping. Without a grouping, records go from task i to task i if both sides have the same parallelism, and
     * otherwise round robin. So records of both streams that belong together meet in one task only if a grouping leads
     * them there; with {@code second.broadcast()} every task receives all of the second stream. Streams connected by
     * key share state and timers: see {@link KeyedStream#connect}.
     *
     * <pre>{@code readings.connect(limits.broadcast()).process(OverLimit::new)}</pre>
     *
     * @param second its records go to {@code processSecond}, those of this stream to {@code processFirst}
     */
    public <U> ConnectedStreams<T, U> connect(Stream<U> second) {
        return new ConnectedStreams<>(this, second);
    }

    /**
     * Connects this stream with one that every task receives in full, such as rules that change while the job runs.
     * What the operator keeps of it in a {@link io.thalweg.api.operator.BroadcastState} is saved once per checkpoint,
     * and restored in every task.
     *
     * <pre>{@code readings.withBroadcast(limits).process(OverLimit::new)}</pre>
     *
     * @param second its records go to {@code processBroadcast}, those of this stream to {@code process}
     */
    public <U> BroadcastStreams<T, U> withBroadcast(Stream<U> second) {
        return new BroadcastStreams<>(this, second.broadcast());
    }

    /**
     * The records that the operator before emits to a side output, or the late records of a window or join.
     *
     * <pre>{@code
     * Stream<Paid> paid = orders.keyBy(Order::id).connect(payments.keyBy(Payment::order)).process(Payments::new);
     * paid.side(Payments.UNPAID).to(Sinks.print());
     * }</pre>
     *
     * @param side must be declared by the operator's method {@code sideOutputs()}, or by {@code lateTo}; {@link
     *     Topology#graph} rejects a side output that no operator emits to
     */
    public <S> Stream<S> side(SideOutput<S> side) {
        return new Stream<>(builder, node, side, new Grouping.Auto());
    }

    /**
     * Sends the stream to a sink. Every stream must end in a sink, or {@link Topology#graph} throws.
     *
     * @return the sink, to name or configure it
     */
    public StreamSink to(Sink<? super T> sink) {
        return new StreamSink(node(new NodeSpec.Sink(cast(sink)), List.of(this)));
    }

    // ---- time and windows

    /**
     * Assigns event times, and watermarks per split of the source: the watermark of a split is the greatest event time
     * seen in it, minus {@code maxDisorder}, minus 1 ms. Windows, interval joins and event-time timers need this. Must
     * come before the first grouping, where the split of each record is still known. An idle split holds the watermark
     * back until its input ends.
     *
     * <pre>{@code readings.eventTime(Reading::epochMs, Duration.ofSeconds(10))}</pre>
     *
     * @param function returns milliseconds since 1970-01-01 UTC; null makes the record a bad one
     * @param maxDisorder how far a record's time may lie behind the greatest one seen in its split without being late;
     *     zero or more
     * @throws IllegalArgumentException if {@code maxDisorder} is negative or not in whole milliseconds
     */
    public Stream<T> eventTime(EventTimeFunction<? super T> function, Duration maxDisorder) {
        return eventTime(function, maxDisorder, Duration.ZERO);
    }

    /**
     * The same as {@link #eventTime(EventTimeFunction, Duration)}, with a timeout for idle splits.
     *
     * @param idleAfter a split without records for this long no longer holds the watermark back; zero means never
     */
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
     * The same as {@link #eventTime(EventTimeFunction, Duration)}, with a function that returns an {@link Instant}.
     *
     * <pre>{@code payments.eventInstant(Payment::madeAt, Duration.ofSeconds(5))}</pre>
     *
     * @param function returns null if the record has no time, which makes the record a bad one
     */
    public Stream<T> eventInstant(NullableFunction<? super T, Instant> function, Duration maxDisorder) {
        return eventInstant(function, maxDisorder, Duration.ZERO);
    }

    /**
     * The same as {@link #eventInstant(NullableFunction, Duration)}, with a timeout for idle splits.
     *
     * @param idleAfter as in {@link #eventTime(EventTimeFunction, Duration, Duration)}
     */
    public Stream<T> eventInstant(
            NullableFunction<? super T, Instant> function, Duration maxDisorder, Duration idleAfter) {
        return eventTime(EventTimeFunction.ofInstant(function), maxDisorder, idleAfter);
    }

    /**
     * Windows over all records together. They run in one task, whatever the parallelism; use {@link #keyBy} to spread
     * the work.
     */
    public WindowedStream<Unkeyed, T> window(WindowSpec window) {
        return keyBy(record -> Unkeyed.ALL).window(window);
    }

    /**
     * Passes each record once and drops later ones that are equal to it. Remembers every distinct record, so state
     * grows without bound; for a limited memory use a {@link io.thalweg.api.operator.TimeToLive} in an operator of your
     * own.
     */
    public Stream<T> distinct() {
        return keyBy(record -> record, cast(type())).distinct();
    }

    /**
     * Passes the first {@code records} records of all tasks together and drops the others. Then every source that no
     * other sink needs stops as if its input had ended, so a job on endless input ends by itself; other sources
     * continue. Runs in one task, whatever the parallelism.
     *
     * <p>Which records come first is certain only if they come from one split through one task at a time; {@code
     * --explain} marks the operator as not deterministic.
     *
     * <pre>{@code topology.from(Sources.socketLines("localhost:9999")).limit(100).to(Sinks.print());}</pre>
     *
     * @param records at least 0; with 0 nothing passes
     * @throws IllegalArgumentException if it is negative
     */
    public Stream<T> limit(long records) {
        return add(new Limit(records), type());
    }

    /**
     * Joins with a table: a bounded source that every task reads in full when it opens, and keeps in memory by key. If
     * several rows have equal keys, the last one wins. This is a left join: for a record whose key has no row, the
     * function receives null. A null key matches nothing, not even another null, as in SQL. Bad rows of the table, and
     * rows whose key function throws {@link io.thalweg.api.operator.BadRecordException}, are counted and kept once,
     * whatever the parallelism.
     *
     * <pre>{@code readings.join(places, Place::sensor, Reading::sensor, Job::placed)}</pre>
     *
     * @param table read again by every task, so it must not be standard input or a pipe
     * @param tableKey the key of a row; of the same type as {@code key}: an {@code int} and a {@code long} are never
     *     equal
     * @param key the key of a record
     * @param function receives null if the table has no row for the key; returning null drops the record, which makes
     *     it an inner join
     * @throws io.thalweg.api.graph.TopologyException if the types of the two keys differ, or cannot be read from the
     *     functions
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
     * Looks up something for each record in a service or a database, with many requests in flight and without blocking
     * a thread. Options come first, then the function:
     *
     * <pre>{@code
     * orders.async()
     *         .concurrency(50)
     *         .timeout(Duration.ofSeconds(5))
     *         .retry(3, Duration.ofMillis(100))
     *         .join(client::lookup, Job::withUser)
     * }</pre>
     *
     * <p>Results keep the event time of their record, and no watermark overtakes a record whose request is in flight. A
     * checkpoint waits for the requests in flight, so it holds none of them. Works on every runner: embedded, Flink and
     * Storm.
     */
    public AsyncStream<T> async() {
        return new AsyncStream<>(this);
    }

    /**
     * Joins two streams: records of equal keys whose event times are close to each other (interval join), or which fall
     * into the same window (window join).
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
     * Groups records by a key: records of equal keys go to the same task.
     *
     * <pre>{@code readings.keyBy(Reading::sensor).window(Windows.tumbling(Duration.ofMinutes(1))).aggregate(Aggregates.count())}</pre>
     *
     * @param key must depend on nothing but the record, and must not return null: that fails the job with a message
     *     that names the record. Drop such records with {@link #filter}, give them a key of their own, or throw {@link
     *     io.thalweg.api.operator.BadRecordException} to count and keep them. What it returns is kept with the state of the
     *     key, so it must not change afterwards: a function must not return one object again and again with other content.
     *     Parts of a record that its source reuses are copied
     * @throws io.thalweg.api.graph.TopologyException if the type of the key cannot be read from the function
     */
    public <K> KeyedStream<K, T> keyBy(MapFunction<? super T, ? extends K> key) {
        return keyBy(key, cast(result(key, MapFunction.class)));
    }

    /**
     * The same as {@link #keyBy(MapFunction)}, with the type of the key.
     *
     * @param type needed if the type of the key cannot be read from the function
     * @throws io.thalweg.api.graph.TopologyException if {@code type} is null
     */
    public <K> KeyedStream<K, T> keyBy(MapFunction<? super T, ? extends K> key, @Nullable Type<K> type) {
        if (type == null) {
            throw new io.thalweg.api.graph.TopologyException(
                    builder.name(),
                    node.name(),
                    "the type of the key cannot be read from the function given to keyBy after it; add it: keyBy(…, Type.of(…))");
        }
        KeySpec spec = new KeySpec(cast(key), cast(type));
        return new KeyedStream<>(grouped(new Grouping.ByKey(spec)), spec);
    }

    /** The same as {@link #partialKeyBy(MapFunction, int)} with two parts for each key. */
    public <K> PartiallyKeyedStream<K, T> partialKeyBy(MapFunction<? super T, ? extends K> key) {
        return partialKeyBy(key, 2);
    }

    /**
     * Groups records by a key in two steps, for keys so frequent that a single task cannot keep up (skew). The records
     * of each key are distributed to several parts round robin, each part is aggregated like a key of its own, and the
     * partial results are merged in one task. The results are those of {@link #keyBy}, as long as the aggregate does not
     * depend on the order of records; sums of doubles may differ in their last digits. It costs an object for each
     * record, and state for each part; if keys are equally frequent, {@link #keyBy} is faster.
     *
     * <pre>{@code clicks.partialKeyBy(Click::page, 4).window(Windows.tumbling(Duration.ofMinutes(1))).aggregate(Aggregates.count())}</pre>
     *
     * @param key as in {@link #keyBy(MapFunction)}
     * @param parts of each key, at least 1; tasks are chosen as for keys, so two parts may be in one task
     */
    public <K> PartiallyKeyedStream<K, T> partialKeyBy(MapFunction<? super T, ? extends K> key, int parts) {
        return new PartiallyKeyedStream<>(this, keyBy(key).key(), parts);
    }

    /**
     * Sends records from task i to task i of the next operator. Both must have the same parallelism, or the job does not
     * start.
     */
    public Stream<T> forward() {
        return grouped(new Grouping.Forward());
    }

    /** Distributes records to all tasks of the next operator round robin, to balance their load. */
    public Stream<T> shuffle() {
        return grouped(new Grouping.Shuffle());
    }

    /**
     * Keeps records in their task if the next operator has the same parallelism; otherwise distributes them round
     * robin.
     */
    public Stream<T> localOrShuffle() {
        return grouped(new Grouping.LocalOrShuffle());
    }

    /** Sends each record to every task of the next operator. */
    public Stream<T> broadcast() {
        return grouped(new Grouping.Broadcast());
    }

    /** Sends all records to task 0 of the next operator. */
    public Stream<T> global() {
        return grouped(new Grouping.Global());
    }

    /**
     * Sends each record to the task that the partitioner chooses: {@code stream.partitionBy((order, tasks) ->
     * order.region() % tasks)}. The stream has no key afterwards: state per key needs {@link #keyBy}.
     */
    public Stream<T> partitionBy(Partitioner<? super T> partitioner) {
        return grouped(new Grouping.Custom(cast(partitioner)));
    }

    /**
     * Sends each record to the task of the next operator that it names itself. Records are {@link
     * io.thalweg.api.operator.Addressed}, and the next operator has a {@link #parallelism} of its own, or {@link
     * Topology#graph} throws.
     */
    public Stream<T> direct() {
        return grouped(new Grouping.Direct());
    }

    private Stream<T> grouped(Grouping next) {
        return new Stream<>(builder, node, side, next);
    }

    // ---- properties of the operator before

    /**
     * Names the operator that emits this stream, in messages, metrics and checkpoints. Without a name it is called
     * after its kind, with a number if there are several: {@code map}, {@code map-2}. Name stateful operators, so that
     * a restored job finds their state after the topology has changed.
     *
     * @param name unique within the topology, or {@link Topology#graph} throws
     * @return this stream
     */
    public Stream<T> name(String name) {
        node.name(name);
        return this;
    }

    /**
     * Sets the number of tasks of the operator that emits this stream. Without it, an operator that keeps records in
     * their task is as wide as the one before it; others have the parallelism of the run.
     *
     * @param parallelism from 1 to 256
     * @return this stream
     * @throws IllegalArgumentException if it is out of range, or if the operator always runs in one task, as {@link
     *     #limit} does
     */
    public Stream<T> parallelism(int parallelism) {
        node.parallelism(parallelism);
        return this;
    }

    /**
     * Keeps the operator in a task of its own instead of fusing it with its neighbours; records then go through queues
     * before and behind it.
     *
     * @return this stream
     */
    public Stream<T> isolate() {
        node.isolate();
        return this;
    }

    /**
     * Declares that the operator may block, as a call to a database or a service does: its tasks get threads of their
     * own. To wait for many requests at a time, use {@link #async}.
     *
     * @return this stream
     */
    public Stream<T> blocking() {
        node.blocking();
        return this;
    }

    /**
     * Aligns the watermarks of the source's splits; call it on the stream that {@link #eventTime} returns. A split is
     * not read further while its watermark is ahead of that of the slowest split, in whichever task that is, by more
     * than {@code bound}. This bounds what windows and joins further down must buffer. Splits that have ended or are
     * idle are not waited for; a split that never had a record is, unless {@code idleAfter} is set. Results are the
     * same with and without.
     *
     * <pre>{@code topology.from(topics).eventTime(Order::madeAt, disorder, idleAfter).alignedWithin(Duration.ofMinutes(5))}</pre>
     *
     * @param bound zero or more; the last record of a split may lie further ahead
     * @return this stream
     * @throws IllegalStateException if the operator before does not assign event times
     */
    public Stream<T> alignedWithin(Duration bound) {
        node.spec(NodeSpec.EventTime.aligned(
                node.spec(), EventDuration.atLeastZero("the time by which splits may run apart", bound)));
        return this;
    }

    /**
     * Declares the type of the records, if it cannot be read from the function: a lambda that returns a generic type,
     * or a {@code flatMap} with a lambda. Nothing is converted; a wrong type that cannot be seen here fails when records
     * are serialized or cast.
     *
     * <pre>{@code lines.flatMap(line -> List.of(line.split(" "))).as(String.class)}</pre>
     *
     * @throws io.thalweg.api.graph.TopologyException if they are known to be of a type that contradicts it
     */
    public <R> Stream<R> as(Type<R> type) {
        Type<T> known = type();
        if (known != null && !mayBe(known.raw(), type.raw())) {
            throw builder.problem(
                    node.name(),
                    "its records are of type " + known + ", so as(" + type + ") cannot be true; map(…) converts them");
        }
        if (side == null) {
            node.as(type);
        }
        return new Stream<>(builder, node, side, grouping);
    }

    /** The same as {@link #as(Type)}, for a class without type parameters. */
    public <R> Stream<R> as(Class<R> type) {
        return as(Type.of(type));
    }

    /** Whether an object of one class may be of the other, too. */
    private static boolean mayBe(Class<?> one, Class<?> other) {
        return one.isAssignableFrom(other)
                || other.isAssignableFrom(one)
                || (one.isInterface() && !Modifier.isFinal(other.getModifiers()))
                || (other.isInterface() && !Modifier.isFinal(one.getModifiers()));
    }

    // ----

    <R> Stream<R> add(NodeSpec spec, @Nullable Type<?> output) {
        return add(spec, List.of(this), output);
    }

    <R> Stream<R> add(NodeSpec spec, List<Stream<?>> inputs, @Nullable Type<?> output) {
        NodeBuilder added = node(spec, inputs);
        return new Stream<>(builder, output == null ? added : added.as(output), null, new Grouping.Auto());
    }

    /** @param inputs in the order of the operator's inputs if it has several, otherwise all of its one */
    private NodeBuilder node(NodeSpec spec, List<Stream<?>> inputs) {
        NodeBuilder added = builder.operator(spec);
        for (int i = 0; i < inputs.size(); i++) {
            Stream<?> input = inputs.get(i);
            EdgeBuilder edge = builder.connect(input.node, added)
                    .input(spec.inputs() > 1 ? i : 0)
                    .grouped(input.grouping);
            if (input.side != null) {
                edge.side(input.side);
            }
        }
        return added;
    }

    GraphBuilder builder() {
        return builder;
    }

    NodeBuilder node() {
        return node;
    }

    /** The type of the records; refuses if it is not known yet. */
    Type<T> recordType() {
        Type<T> type = type();
        if (type == null) {
            throw new IllegalStateException("the type of the records is not known yet; say it with .as(Type.of(…))");
        }
        return type;
    }

    /** The type of the records, for modules that add operators; null if it cannot be read from the function and was not declared. */
    public @Nullable Type<T> type() {
        return side != null ? cast(side.type()) : cast(node.output());
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
