// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.EventTimeFunction;
import io.thalweg.api.operator.FilterFunction;
import io.thalweg.api.operator.FlatMapFunction;
import io.thalweg.api.operator.JoinFunction;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.NullableFunction;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorSupplier;
import io.thalweg.api.operator.PeekFunction;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.window.WindowSpec;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What a node does, as data: user functions and specifications, nothing of any engine. Records are {@code Object} here;
 * the fluent API has made sure that the types fit.
 */
public sealed interface NodeSpec extends Serializable {
    record Source(io.thalweg.api.connector.Source<Object> source) implements NodeSpec {}

    record Map(MapFunction<Object, Object> function) implements NodeSpec {}

    record Filter(FilterFunction<Object> function) implements NodeSpec {}

    record FlatMap(FlatMapFunction<Object, Object> function) implements NodeSpec {}

    record Peek(PeekFunction<Object> function) implements NodeSpec {}

    record Union() implements NodeSpec {}

    /**
     * Reads event times and keeps a watermark per split.
     *
     * @param maxDisorderMs how far a record's time may lie before the greatest seen in its split
     * @param idleMs a split silent for so long no longer holds the watermark back; 0 for never
     */
    record EventTime(EventTimeFunction<Object> function, long maxDisorderMs, long idleMs) implements NodeSpec {}

    record Process(OperatorSupplier<? extends Operator<Object, Object>> supplier) implements NodeSpec {}

    record KeyedProcess(KeySpec key, OperatorSupplier<? extends KeyedOperator<Object, Object, Object>> supplier)
            implements NodeSpec {}

    /** Emits a {@link io.thalweg.api.window.WindowResult} for each key and window. */
    record Window(
            KeySpec key,
            WindowSpec window,
            long allowedLatenessMs,
            Aggregate<Object, Object, Object> aggregate,
            @Nullable SideOutput<Object> late)
            implements NodeSpec {}

    /** Emits the {@link io.thalweg.api.operator.Keyed} result so far after every record. */
    record Running(KeySpec key, Aggregate<Object, Object, Object> aggregate) implements NodeSpec {}

    /** Lets the first record of each key pass. */
    record Distinct(KeySpec key) implements NodeSpec {}

    /**
     * Joins with the rows of a bounded source, which every task reads whole when it opens; of equal keys the last row. Null matches
     * nothing. Task 0 counts the bad rows.
     */
    record TableJoin(
            io.thalweg.api.connector.Source<Object> table,
            NullableFunction<Object, Object> tableKey,
            NullableFunction<Object, Object> key,
            JoinFunction<Object, Object, Object> function)
            implements NodeSpec {}

    record Sink(io.thalweg.api.connector.Sink<Object> sink) implements NodeSpec {}

    /** {@code map}, {@code window tumbling 1000 ms}. */
    default String describe() {
        if (this instanceof Source source) {
            return "source " + source.source().name();
        }
        if (this instanceof Sink sink) {
            return "sink " + sink.sink().name();
        }
        if (this instanceof Window window) {
            return "window " + window.window();
        }
        return kind();
    }

    /** The key that it works by; null where it has none. */
    default @Nullable KeySpec keyedBy() {
        if (this instanceof Window window) {
            return window.key();
        }
        if (this instanceof Running running) {
            return running.key();
        }
        if (this instanceof Distinct distinct) {
            return distinct.key();
        }
        return this instanceof KeyedProcess process ? process.key() : null;
    }

    /** What it does, in more words than {@link #describe}. */
    default String specification() {
        if (this instanceof Window window) {
            return describe() + ", " + window.aggregate().describe();
        }
        return this instanceof Running running
                ? "running " + running.aggregate().describe()
                : describe();
    }

    /** {@code map}, {@code event-time}: what the node is called where it has no name of its own. */
    default String kind() {
        return getClass().getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(java.util.Locale.ROOT);
    }
}
