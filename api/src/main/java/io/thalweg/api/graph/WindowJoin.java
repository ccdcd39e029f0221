// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.operator.FlatMapFunction;
import io.thalweg.api.operator.PairFunction;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.window.CoGroup;
import io.thalweg.api.window.WindowSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Joins records of two streams that have equal keys and fall into the same window, pair by pair or all of a window at once.
 * Whoever runs it may run {@link #operator} instead.
 *
 * @param pairs makes a result of a pair, or of one record of an outer side; null if {@code groups} is not
 * @param groups makes results of all records of a key and window; null if {@code pairs} is not. Both sides are outer then
 */
public record WindowJoin(
        JoinSide left,
        JoinSide right,
        WindowSpec window,
        @Nullable PairFunction<@Nullable Object, @Nullable Object, Object> pairs,
        @Nullable FlatMapFunction<CoGroup<Object, Object, Object>, Object> groups)
        implements Connected {
    public WindowJoin {
        if ((pairs == null) == (groups == null)) {
            throw new IllegalArgumentException("a window join needs a function for pairs or one for groups");
        }
        JoinWindows.of(window); // refuses those that cannot join
    }

    /** Where late records go, as far as anybody asked for them. */
    public List<SideOutput<Object>> lateSides() {
        return JoinSide.late(left, right);
    }

    /** The same as an operator that keeps records in its state. */
    public NodeSpec.KeyedConnect operator() {
        return new NodeSpec.KeyedConnect(left.key(), right.key(), () -> new WindowJoinOperator(this));
    }

    @Override
    public KeySpec keyedBy(int input) {
        return input == 0 ? left.key() : right.key();
    }

    @Override
    public boolean stateful() {
        return true;
    }

    @Override
    public Timing timing() {
        return window.needsEventTime() ? Timing.REQUIRES : Timing.NONE;
    }

    @Override
    public long watermarkStep() {
        return window.watermarkStep();
    }

    @Override
    public String kind() {
        return groups == null ? "window-join" : "co-group";
    }

    /** {@code left join, tumbling 1000 ms}. */
    @Override
    public String describe() {
        return (groups == null ? JoinSide.kind(left, right) + " join, " : "co-group, ") + window;
    }

    @Override
    public <R> R accept(NodeVisitor<R> visitor) {
        return visitor.windowJoin(this);
    }
}
