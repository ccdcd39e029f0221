// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.operator.PairFunction;
import io.thalweg.api.operator.SideOutput;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Joins records of two streams that have equal keys and whose event times are close: {@code lowerMs <= right - left <=
 * upperMs}. A runner without an interval join of its own runs {@link #operator}.
 *
 * @param left the left stream
 * @param right the right stream
 * @param lowerMs not greater than {@code upperMs}; both are small enough to be added to any event time
 * @param upperMs inclusive, like {@code lowerMs}
 * @param function combines a pair
 */
public record IntervalJoin(
        JoinSide left,
        JoinSide right,
        long lowerMs,
        long upperMs,
        PairFunction<@Nullable Object, @Nullable Object, Object> function)
        implements Connected {
    /** How long after a left record its last partner can come, in milliseconds; 0 if all partners come before it. */
    public long leftWaitsMs() {
        return Math.max(0, upperMs);
    }

    /** How long after a right record its last partner can come, in milliseconds; 0 if all partners come before it. */
    public long rightWaitsMs() {
        return Math.max(0, -lowerMs);
    }

    /** The side outputs for late records that were asked for. */
    public List<SideOutput<Object>> lateSides() {
        return JoinSide.late(left, right);
    }

    /**
     * Combines a pair, or one record without a partner.
     *
     * @return null for no result
     */
    @SuppressWarnings("NullAway") // it does not check type arguments
    public @Nullable Object result(@Nullable Object leftRecord, @Nullable Object rightRecord) throws Exception {
        return function.apply(leftRecord, rightRecord);
    }

    /** What the records of a side are kept as: those of other bounds are not to continue in these. */
    String stateOf(String side) {
        return side + ", for right " + bounds();
    }

    private String bounds() {
        return Duration.ofMillis(lowerMs) + " to " + Duration.ofMillis(upperMs) + " from left";
    }

    /** The same join as an operator that keeps records in keyed state. */
    public NodeSpec.KeyedConnect operator() {
        return new NodeSpec.KeyedConnect(left.key(), right.key(), () -> new IntervalJoinOperator(this));
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
        return Timing.REQUIRES;
    }

    /** {@code left join, right PT-5M to PT0S from left}. */
    @Override
    public String describe() {
        return JoinSide.kind(left, right) + " join, right " + bounds();
    }

    @Override
    public <R> R accept(NodeVisitor<R> visitor) {
        return visitor.intervalJoin(this);
    }
}
