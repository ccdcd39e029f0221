// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.BroadcastOperator;
import io.thalweg.api.operator.Checkpointed;
import io.thalweg.api.operator.EventTimeFunction;
import io.thalweg.api.operator.FilterFunction;
import io.thalweg.api.operator.FlatMapFunction;
import io.thalweg.api.operator.JoinFunction;
import io.thalweg.api.operator.KeyedBroadcastOperator;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.KeyedTwoInputOperator;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.NullableFunction;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorSupplier;
import io.thalweg.api.operator.PeekFunction;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.operator.ThreadedOperator;
import io.thalweg.api.operator.TickingOperator;
import io.thalweg.api.operator.TwoInputOperator;
import io.thalweg.api.window.WindowSpec;
import java.io.Serializable;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a node does, as data: user functions and parameters, nothing specific to a runner. Records are {@code Object}
 * here; the fluent API has made sure that the types fit.
 *
 * <p>A runner queries the traits of an operator, such as {@link #stateful}, and handles each kind in a {@link
 * NodeVisitor}. A new kind does not compile until it has implemented every trait and every visitor handles it.
 */
public sealed interface NodeSpec extends Serializable permits Unkeyed, Inner {
    // ---- traits

    /** The source that it reads; null for every other kind. */
    io.thalweg.api.connector.@Nullable Source<Object> source();

    /** The sink that it writes to; null for every other kind. */
    io.thalweg.api.connector.@Nullable Sink<Object> sink();

    /** A bounded source that each of its tasks reads in full when it opens; null if there is none. */
    io.thalweg.api.connector.@Nullable Source<Object> table();

    /**
     * The number of inputs that it distinguishes: 0 for a source, 2 for an operator on two connected streams. Several
     * streams may lead to the same input.
     */
    int inputs();

    /**
     * The key of records on this input; null if it is not keyed. Keys of all inputs have the same type.
     *
     * @param input as in {@link Edge#input}
     */
    @Nullable KeySpec keyedBy(int input);

    /** The aggregate it applies; null if there is none. */
    @Nullable Aggregate<Object, Object, Object> aggregate();

    /**
     * Whether it keeps state that must be saved in checkpoints. For a user's operator, calls the supplier to find out.
     */
    boolean stateful();

    /** How many records it emits for each record that comes in. */
    Cardinality cardinality();

    /** What it does with the event times of its records. */
    Timing timing();

    /** It must see every watermark that passes a multiple of this many milliseconds; 0 if it needs none. */
    long watermarkStep();

    /**
     * Whether what it emits may be, or contain, the object that came in, which the source may overwrite if it reuses
     * its records. A user's operator receives a copy of such an object, so what it emits is its own.
     */
    boolean passesInputOn();

    /**
     * Whether it also emits when no record comes in, because a request is answered or a thread of its own does. It starts a task of
     * its own, with a queue before it; watermarks wait for the records that it still holds.
     */
    boolean asynchronous();

    /** Whether it may come to need no more input, so that its sources can stop; see {@link Demand}. */
    boolean wantsNoMore();

    /** Calls the visitor's method for this kind. */
    <R> R accept(NodeVisitor<R> visitor);

    // ---- in words

    /** The end of {@link #describe} for an operator whose results depend on when and how the job runs. */
    String NOT_DETERMINISTIC = " (not deterministic)";

    /** For plans: {@code map}, {@code window tumbling 1000 ms}. */
    default String describe() {
        return kind();
    }

    /** What it does, in more detail than {@link #describe}. */
    default String specification() {
        return describe();
    }

    /** Its kind, such as {@code map} or {@code event-time}: the default name of the node. Saved in checkpoints. */
    default String kind() {
        return getClass().getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }

    // ---- kinds

    /**
     * Reads a source.
     *
     * @param source what it reads
     */
    record Source(io.thalweg.api.connector.Source<Object> source) implements Unkeyed {
        @Override
        public io.thalweg.api.connector.@Nullable Sink<Object> sink() {
            return null;
        }

        @Override
        public int inputs() {
            return 0;
        }

        @Override
        public boolean stateful() {
            return false;
        }

        @Override
        public Cardinality cardinality() {
            return Cardinality.ONE;
        }

        @Override
        public Timing timing() {
            return Timing.NONE;
        }

        @Override
        public long watermarkStep() {
            return 0;
        }

        @Override
        public boolean passesInputOn() {
            return false;
        }

        @Override
        public boolean asynchronous() {
            return false;
        }

        @Override
        public boolean wantsNoMore() {
            return false;
        }

        @Override
        public String describe() {
            return "source " + source.describe();
        }

        @Override
        public <R> R accept(NodeVisitor<R> visitor) {
            return visitor.source(this);
        }
    }

    /**
     * Turns each record into exactly one other.
     *
     * @param function the user's
     */
    record Map(MapFunction<Object, Object> function) implements Stateless {
        @Override
        public Cardinality cardinality() {
            return Cardinality.ONE;
        }

        @Override
        public <R> R accept(NodeVisitor<R> visitor) {
            return visitor.map(this);
        }
    }

    /**
     * Keeps some records and drops the others.
     *
     * @param function the user's
     */
    record Filter(FilterFunction<Object> function) implements Stateless {
        @Override
        public Cardinality cardinality() {
            return Cardinality.AT_MOST_ONE;
        }

        @Override
        public <R> R accept(NodeVisitor<R> visitor) {
            return visitor.filter(this);
        }
    }

    /**
     * Turns each record into any number of others.
     *
     * @param function the user's
     */
    record FlatMap(FlatMapFunction<Object, Object> function) implements Stateless {
        @Override
        public Cardinality cardinality() {
            return Cardinality.ANY;
        }

        @Override
        public <R> R accept(NodeVisitor<R> visitor) {
            return visitor.flatMap(this);
        }
    }

    /**
     * Calls a function for each record and passes the record on.
     *
     * @param function the user's
     */
    record Peek(PeekFunction<Object> function) implements Stateless {
        @Override
        public Cardinality cardinality() {
            return Cardinality.ONE;
        }

        @Override
        public <R> R accept(NodeVisitor<R> visitor) {
            return visitor.peek(this);
        }
    }

    /** Merges streams of the same type. */
    record Union() implements Stateless {
        @Override
        public Cardinality cardinality() {
            return Cardinality.ONE;
        }

        @Override
        public <R> R accept(NodeVisitor<R> visitor) {
            return visitor.union(this);
        }
    }

    /**
     * Assigns event times and keeps a watermark per split.
     *
     * @param function reads the event time
     * @param maxDisorderMs how far a record's time may lie behind the greatest one seen in its split
     * @param idleMs a split without records for this long no longer holds the watermark back; 0 for never
     * @param alignedMs how far the watermark of a split may be ahead of that of the slowest; {@link #NOT_ALIGNED} for
     *     no limit
     */
    record EventTime(EventTimeFunction<Object> function, long maxDisorderMs, long idleMs, long alignedMs)
            implements Stateless {
        /** No watermark alignment. */
        public static final long NOT_ALIGNED = -1;

        /**
         * The same operator with watermark alignment.
         *
         * @throws IllegalStateException if {@code spec} is another kind of operator
         */
        public static EventTime aligned(NodeSpec spec, long withinMs) {
            if (spec instanceof EventTime time) {
                return new EventTime(time.function, time.maxDisorderMs, time.idleMs, withinMs);
            }
            throw new IllegalStateException(
                    "alignedWithin says how far the splits of a source may run apart by their event times: call it on what"
                            + " eventTime or eventInstant returns, not on " + spec.describe());
        }

        /** Whether this is an event-time operator with watermark alignment. */
        public static boolean aligns(NodeSpec spec) {
            return spec instanceof EventTime time && time.aligned();
        }

        /** Whether the watermarks of its splits are aligned. */
        public boolean aligned() {
            return alignedMs != NOT_ALIGNED;
        }

        @Override
        public String describe() {
            return aligned() ? kind() + ", splits aligned within " + Duration.ofMillis(alignedMs) : kind();
        }

        @Override
        public String specification() {
            return kind();
        }

        @Override
        public Cardinality cardinality() {
            return Cardinality.ONE;
        }

        @Override
        public Timing timing() {
            return Timing.ASSIGNS;
        }

        @Override
        public <R> R accept(NodeVisitor<R> visitor) {
            return visitor.eventTime(this);
        }
    }

    /**
     * Joins with the rows of a bounded source, which every task reads in full when it opens; of equal keys, the last
     * row wins. Null matches nothing. Task 0 counts the bad rows.
     *
     * @param table the rows
     * @param tableKey key of a row
     * @param key key of a record
     * @param function combines a record with its row
     */
    record TableJoin(
            io.thalweg.api.connector.Source<Object> table,
            NullableFunction<Object, Object> tableKey,
            NullableFunction<Object, Object> key,
            JoinFunction<Object, Object, Object> function)
            implements Stateless {
        @Override
        public Cardinality cardinality() {
            return Cardinality.AT_MOST_ONE;
        }

        @Override
        public <R> R accept(NodeVisitor<R> visitor) {
            return visitor.tableJoin(this);
        }
    }

    /**
     * A user's operator without keys.
     *
     * @param supplier makes the operator of a task
     */
    record Process(OperatorSupplier<? extends Operator<Object, Object>> supplier) implements Unkeyed, Processing {
        @Override
        public int inputs() {
            return 1;
        }

        @Override
        public boolean stateful() {
            return supplier.get() instanceof Checkpointed;
        }

        /** Whether it is called at an interval of processing time. */
        boolean ticks() {
            return supplier.get() instanceof TickingOperator<?, ?>;
        }

        /** Whether it emits from threads of its own. */
        @Override
        public boolean asynchronous() {
            return supplier.get() instanceof ThreadedOperator<?, ?>;
        }

        @Override
        public String describe() {
            String ticks = supplier.get() instanceof TickingOperator<?, ?> ticking
                    ? ", ticks every " + Ticks.everyMs(ticking) + " ms"
                    : "";
            String threads = asynchronous() ? ", emits from threads of its own" : "";
            return kind() + ticks + threads + (ticks.isEmpty() && threads.isEmpty() ? "" : NOT_DETERMINISTIC);
        }

        @Override
        public String specification() {
            return kind();
        }

        @Override
        public <R> R accept(NodeVisitor<R> visitor) {
            return visitor.process(this);
        }
    }

    /**
     * A user's operator with state per key and timers.
     *
     * @param key of the records
     * @param supplier makes the operator of a task
     */
    record KeyedProcess(KeySpec key, OperatorSupplier<? extends KeyedOperator<Object, Object, Object>> supplier)
            implements Keyed, Processing {
        @Override
        public @Nullable Aggregate<Object, Object, Object> aggregate() {
            return null;
        }

        @Override
        public String describe() {
            return ProcessingTimers.describe(this, supplier.get());
        }

        @Override
        public String specification() {
            return kind();
        }

        @Override
        public <R> R accept(NodeVisitor<R> visitor) {
            return visitor.keyedProcess(this);
        }
    }

    /**
     * A user's operator on two streams.
     *
     * @param supplier makes the operator of a task
     */
    record Connect(OperatorSupplier<? extends TwoInputOperator<Object, Object, Object>> supplier) implements Connected {
        @Override
        public @Nullable KeySpec keyedBy(int input) {
            return null;
        }

        @Override
        public boolean stateful() {
            return supplier.get() instanceof Checkpointed;
        }

        @Override
        public <R> R accept(NodeVisitor<R> visitor) {
            return visitor.connect(this);
        }
    }

    /**
     * A user's operator on two keyed streams. State and timers belong to a key, whichever input it came from: both keys
     * have the same type.
     *
     * @param first key of the first stream
     * @param second key of the second stream
     * @param supplier makes the operator of a task
     */
    record KeyedConnect(
            KeySpec first,
            KeySpec second,
            OperatorSupplier<? extends KeyedTwoInputOperator<Object, Object, Object, Object>> supplier)
            implements Connected {
        @Override
        public KeySpec keyedBy(int input) {
            return input == 0 ? first : second;
        }

        @Override
        public boolean stateful() {
            return true;
        }

        @Override
        public String describe() {
            return ProcessingTimers.describe(this, supplier.get());
        }

        @Override
        public String specification() {
            return kind();
        }

        @Override
        public <R> R accept(NodeVisitor<R> visitor) {
            return visitor.keyedConnect(this);
        }
    }

    /**
     * A user's operator on a stream and a broadcast stream, its second input.
     *
     * @param supplier makes the operator of a task
     */
    record Broadcast(OperatorSupplier<? extends BroadcastOperator<Object, Object, Object>> supplier)
            implements Connected {
        @Override
        public @Nullable KeySpec keyedBy(int input) {
            return null;
        }

        @Override
        public boolean stateful() {
            return true;
        }

        @Override
        public <R> R accept(NodeVisitor<R> visitor) {
            return visitor.broadcast(this);
        }
    }

    /**
     * A user's operator on a keyed stream and a broadcast stream, its second input, which has no key.
     *
     * @param key of the first stream
     * @param supplier makes the operator of a task
     */
    record KeyedBroadcast(
            KeySpec key, OperatorSupplier<? extends KeyedBroadcastOperator<Object, Object, Object, Object>> supplier)
            implements Connected {
        @Override
        public @Nullable KeySpec keyedBy(int input) {
            return input == 0 ? key : null;
        }

        @Override
        public boolean stateful() {
            return true;
        }

        @Override
        public String describe() {
            return ProcessingTimers.describe(this, supplier.get());
        }

        @Override
        public String specification() {
            return kind();
        }

        @Override
        public <R> R accept(NodeVisitor<R> visitor) {
            return visitor.keyedBroadcast(this);
        }
    }

    /**
     * Emits a {@link io.thalweg.api.window.WindowResult} for each key and window.
     *
     * @param key of the records
     * @param window which windows a record belongs to
     * @param allowedLatenessMs how long windows are kept after they have fired
     * @param aggregate computes the result
     * @param late side output for late records; null to drop them
     */
    record Window(
            KeySpec key,
            WindowSpec window,
            long allowedLatenessMs,
            Aggregate<Object, Object, Object> aggregate,
            @Nullable SideOutput<Object> late)
            implements Keyed {
        @Override
        public Cardinality cardinality() {
            return Cardinality.ANY;
        }

        @Override
        public Timing timing() {
            return window.needsEventTime() ? Timing.REQUIRES : Timing.NONE;
        }

        /** A window of a number of records, as an operator that keeps accumulators in keyed state. */
        public KeyedProcess counting(WindowSpec.Count count) {
            return new KeyedProcess(key, () -> new CountWindowOperator(count, aggregate));
        }

        /** The watermark lets go of kept windows too, so allowed lateness adds no step of its own. */
        @Override
        public long watermarkStep() {
            return window.watermarkStep();
        }

        @Override
        public boolean passesInputOn() {
            return false;
        }

        @Override
        public String describe() {
            return "window " + window + (window.byArrival() ? ", in the order of arrival" + NOT_DETERMINISTIC : "");
        }

        @Override
        public String specification() {
            return "window " + window + ", " + aggregate.describe();
        }

        @Override
        public <R> R accept(NodeVisitor<R> visitor) {
            return visitor.window(this);
        }
    }

    /**
     * Emits the {@link io.thalweg.api.operator.Keyed} result so far after every record.
     *
     * @param key of the records
     * @param aggregate computes the result
     */
    record Running(KeySpec key, Aggregate<Object, Object, Object> aggregate) implements Keyed {
        @Override
        public Cardinality cardinality() {
            return Cardinality.ONE;
        }

        @Override
        public Timing timing() {
            return Timing.PASSES_ON;
        }

        @Override
        public long watermarkStep() {
            return 0;
        }

        /** Its key. */
        @Override
        public boolean passesInputOn() {
            return true;
        }

        @Override
        public String specification() {
            return "running " + aggregate.describe();
        }

        @Override
        public <R> R accept(NodeVisitor<R> visitor) {
            return visitor.running(this);
        }
    }

    /**
     * Passes the first record of each key.
     *
     * @param key of the records
     */
    record Distinct(KeySpec key) implements Keyed {
        @Override
        public @Nullable Aggregate<Object, Object, Object> aggregate() {
            return null;
        }

        @Override
        public Cardinality cardinality() {
            return Cardinality.AT_MOST_ONE;
        }

        @Override
        public Timing timing() {
            return Timing.PASSES_ON;
        }

        @Override
        public long watermarkStep() {
            return 0;
        }

        @Override
        public boolean passesInputOn() {
            return true;
        }

        @Override
        public <R> R accept(NodeVisitor<R> visitor) {
            return visitor.distinct(this);
        }
    }

    /**
     * Writes to a sink.
     *
     * @param sink what it writes to
     */
    record Sink(io.thalweg.api.connector.Sink<Object> sink) implements Unkeyed {
        @Override
        public io.thalweg.api.connector.@Nullable Source<Object> source() {
            return null;
        }

        @Override
        public int inputs() {
            return 1;
        }

        @Override
        public boolean stateful() {
            return false;
        }

        @Override
        public Cardinality cardinality() {
            return Cardinality.ONE;
        }

        @Override
        public Timing timing() {
            return Timing.PASSES_ON;
        }

        @Override
        public long watermarkStep() {
            return 0;
        }

        @Override
        public boolean passesInputOn() {
            return false;
        }

        @Override
        public boolean asynchronous() {
            return false;
        }

        @Override
        public boolean wantsNoMore() {
            return false;
        }

        @Override
        public String describe() {
            return "sink " + sink.describe();
        }

        @Override
        public <R> R accept(NodeVisitor<R> visitor) {
            return visitor.sink(this);
        }
    }
}
