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
 * Joins records of two streams that have equal keys and fall into the same window, pair by pair or all of a window at
 * once. A runner without a window join of its own runs {@link #operator}.
 *
 * @param left the left stream
 * @param right the right stream
 * @param window which windows a record belongs to
 * @param pairs combines a pair, or one record of an outer side; null if {@code groups} is not
 * @param groups combines all records of a key and window; null if {@code pairs} is not. Both sides are then outer
 */
public record WindowJoin(
        JoinSide left,
        JoinSide right,
        WindowSpec window,
        @Nullable PairFunction<@Nullable Object, @Nullable Object, Object> pairs,
        @Nullable FlatMapFunction<CoGroup<Object, Object, Object>, Object> groups)
        implements Connected {
    /**
     * Checks the functions and the window.
     *
     * @throws IllegalArgumentException if not exactly one function is given
     */
    public WindowJoin {
        if ((pairs == null) == (groups == null)) {
            throw new IllegalArgumentException("a window join needs a function for pairs or one for groups");
        }
        JoinWindows.of(window); // refuses those that cannot join
    }

    /** The side outputs for late records that were asked for. */
    public List<SideOutput<Object>> lateSides() {
        return JoinSide.late(left, right);
    }

    /** The same join as an operator that keeps records in keyed state. */
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
