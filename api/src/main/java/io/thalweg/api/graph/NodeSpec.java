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
import io.thalweg.api.operator.TwoInputOperator;
import io.thalweg.api.window.WindowSpec;
import java.io.Serializable;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a node does, as data: user functions and specifications, nothing of any engine. Records are {@code Object} here;
 * the fluent API has made sure that the types fit.
 *
 * <p>Whoever runs a graph asks a kind of operator for its traits, such as {@link #stateful}, and handles each kind in a
 * {@link NodeVisitor}. A new kind does not compile until it has answered every trait, and until every visitor handles it.
 */
public sealed interface NodeSpec extends Serializable permits Unkeyed, Inner {
    // ---- traits

    /** What it reads as a source of records; null for every other kind. */
    io.thalweg.api.connector.@Nullable Source<Object> source();

    /** What it writes to; null if it is not a sink. */
    io.thalweg.api.connector.@Nullable Sink<Object> sink();

    /** A bounded source that each of its tasks reads whole when it opens; null if it has none. */
    io.thalweg.api.connector.@Nullable Source<Object> table();

    /**
     * How many inputs it tells apart: 0 for a source, 2 for an operator that two streams are connected to. Several streams may
     * lead to the same input.
     */
    int inputs();

    /**
     * The key that it works by, of records that come in on this input; null if it has none. Keys of all inputs have one type.
     *
     * @param input as {@link Edge#input} has it
     */
    @Nullable KeySpec keyedBy(int input);

    /** What it aggregates records with; null if it aggregates none. */
    @Nullable Aggregate<Object, Object, Object> aggregate();

    /**
     * True if it keeps something of the records that it has seen, which only a checkpoint brings back. Asks the supplier of
     * a user's operator for one.
     */
    boolean stateful();

    /** How many records it emits for one record that comes in. */
    Cardinality cardinality();

    /** What it does to the event times of its records. */
    Timing timing();

    /** It has to see every watermark that passes a multiple of this many milliseconds; 0 if it needs none. */
    long watermarkStep();

    /**
     * True if what it emits may be, or hold, the object that came in, which the source may overwrite if it reuses its
     * records. A user's operator is handed a copy of such an object, so that what it emits is its own.
     */
    boolean passesInputOn();

    /**
     * True if it emits when something outside answers, and not when a record comes in. It begins a task of its own, with a queue
     * before it, and a watermark or a barrier waits for the answers that are missing before it.
     */
    boolean asynchronous();

    /** True if a time may come when it drops all that comes in, so that its sources may end; see {@link Demand}. */
    boolean wantsNoMore();

    /** Calls the visitor's method for this kind. */
    <R> R accept(NodeVisitor<R> visitor);

    // ---- in words

    /** Ends {@link #describe} of an operator whose results depend on when and how the job runs. */
    String NOT_DETERMINISTIC = " (not deterministic)";

    /** {@code map}, {@code window tumbling 1000 ms}. */
    default String describe() {
        return kind();
    }

    /** What it does, in more words than {@link #describe}. */
    default String specification() {
        return describe();
    }

    /** {@code map}, {@code event-time}: what the node is called if it has no name of its own. Checkpoints hold it. */
    default String kind() {
        return getClass().getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }

    // ---- kinds

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
            return "source " + source.name();
        }

        @Override
        public <R> R accept(NodeVisitor<R> visitor) {
            return visitor.source(this);
        }
    }

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
     * Reads event times and keeps a watermark per split.
     *
     * @param maxDisorderMs how far a record's time may lie before the greatest seen in its split
     * @param idleMs a split silent for so long no longer holds the watermark back; 0 for never
     * @param alignedMs how far the watermark of a split may run ahead of that of the slowest; {@link #NOT_ALIGNED} for any far
     */
    record EventTime(EventTimeFunction<Object> function, long maxDisorderMs, long idleMs, long alignedMs)
            implements Stateless {
        public static final long NOT_ALIGNED = -1;

        /**
         * The same operator with aligned splits.
         *
         * @throws IllegalStateException if it is another one
         */
        public static EventTime aligned(NodeSpec spec, long withinMs) {
            if (spec instanceof EventTime time) {
                return new EventTime(time.function, time.maxDisorderMs, time.idleMs, withinMs);
            }
            throw new IllegalStateException(
                    "alignedWithin says how far the splits of a source may run apart by their event times: call it on what"
                            + " eventTime or eventInstant returns, not on " + spec.describe());
        }

        /** True if it has splits wait for slower ones. */
        public static boolean aligns(NodeSpec spec) {
            return spec instanceof EventTime time && time.aligned();
        }

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
     * Joins with the rows of a bounded source, which every task reads whole when it opens; of equal keys the last row. Null matches
     * nothing. Task 0 counts the bad rows.
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

    record Process(OperatorSupplier<? extends Operator<Object, Object>> supplier) implements Unkeyed, Processing {
        @Override
        public int inputs() {
            return 1;
        }

        @Override
        public boolean stateful() {
            return supplier.get() instanceof Checkpointed;
        }

        @Override
        public <R> R accept(NodeVisitor<R> visitor) {
            return visitor.process(this);
        }
    }

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

    /** State and timers belong to a key, whichever input it came from: both keys have the same type. */
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

    /** Its second input is broadcast. */
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

    /** Its second input is broadcast, and has no key. */
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

    /** Emits a {@link io.thalweg.api.window.WindowResult} for each key and window. */
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

        /** Windows of so many records as an operator that keeps their accumulators in its state. */
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
            return "window " + window;
        }

        @Override
        public String specification() {
            return describe() + ", " + aggregate.describe();
        }

        @Override
        public <R> R accept(NodeVisitor<R> visitor) {
            return visitor.window(this);
        }
    }

    /** Emits the {@link io.thalweg.api.operator.Keyed} result so far after every record. */
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

    /** Lets the first record of each key pass. */
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
