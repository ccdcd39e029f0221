// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.SideOutput;
import org.jspecify.annotations.Nullable;

/**
 * A stream of a graph under construction, as {@link GraphBuilder#connect} returns it. Its methods say where it starts
 * and ends and how its records are grouped, and return this object, so that calls can be chained. Not thread-safe.
 */
public final class EdgeBuilder {
    private final End from;
    private final End to;
    private @Nullable SideOutput<?> side;
    private int input;
    private boolean feedback;
    private @Nullable Grouping grouping;

    /** An operator by its name, or itself. */
    record End(String name, @Nullable NodeBuilder node) {}

    EdgeBuilder(End from, End to) {
        this.from = from;
        this.to = to;
    }

    /** Starts at a side output, which the operator must declare; without this, at the main output. */
    public EdgeBuilder side(SideOutput<?> output) {
        side = output;
        return this;
    }

    /**
     * Leads to one of the operator's inputs.
     *
     * @param number 0, as without this call, or 1 for the second input of an operator with two
     */
    public EdgeBuilder input(int number) {
        input = number;
        return this;
    }

    /**
     * Says which task each record goes to. Without it, records are grouped by the key of the input if it has one;
     * otherwise they stay in their task if both operators have the same parallelism, and go to all tasks round robin
     * if not.
     */
    public EdgeBuilder grouped(Grouping by) {
        grouping = by;
        return this;
    }

    /**
     * Makes it a stream that leads back: to an operator before the one where it starts, or to the same one. It comes to
     * an input beside the streams that lead there anyway. The embedded engine runs such graphs, and its checkpoints hold what is on its
     * way back; other runners refuse them by name.
     *
     * <p>When all input from outside the loop has ended and no record is within it, time ends for its operators, so that windows and
     * timers emit; when the loop is empty again and nothing was emitted, the operators end. Records that come back do not hold the
     * watermark back: they may be late for windows.
     */
    public EdgeBuilder feedback() {
        feedback = true;
        return this;
    }

    boolean isFeedback() {
        return feedback;
    }

    End from() {
        return from;
    }

    End to() {
        return to;
    }

    int input() {
        return input;
    }

    @Nullable SideOutput<?> side() {
        return side;
    }

    String port() {
        return side == null ? Edge.MAIN : side.name();
    }

    /** The type of its records; null if it is not known. */
    @SuppressWarnings("unchecked") // the graph holds records as Object
    @Nullable Type<Object> type(NodeBuilder start) {
        return side == null ? start.output() : (Type<Object>) side.type();
    }

    Grouping grouping(NodeBuilder end) {
        if (grouping != null) {
            return grouping;
        }
        KeySpec key = end.spec().keyedBy(input);
        return key == null ? new Grouping.Auto() : new Grouping.ByKey(key);
    }
}
