// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.PairFunction;
import io.thalweg.api.operator.SideOutput;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Joins records of two streams that have equal keys and whose event times lie so close together:
 * {@code lowerMs <= right - left <= upperMs}. Whoever runs it may run {@link #operator} instead.
 *
 * @param lowerMs not greater than {@code upperMs}; both are short enough to be added to any event time
 */
public record IntervalJoin(
        Side left,
        Side right,
        long lowerMs,
        long upperMs,
        PairFunction<@Nullable Object, @Nullable Object, Object> function)
        implements Connected {
    /**
     * One of the streams.
     *
     * @param key of type {@code Optional}; empty if the record has none, so that it has no partner
     * @param records what the stream holds
     * @param outer a record without a partner is emitted too, when none can come any more
     * @param late where late records go; null to drop them
     */
    public record Side(
            KeySpec key,
            Type<Object> records,
            boolean outer,
            @Nullable SideOutput<Object> late) implements Serializable {}

    /** How long after a left record its last partner can be, so that it waits; 0 if all partners come before it. */
    public long leftWaitsMs() {
        return Math.max(0, upperMs);
    }

    /** How long after a right record its last partner can be. */
    public long rightWaitsMs() {
        return Math.max(0, -lowerMs);
    }

    /** Where late records go, as far as anybody asked for them. */
    public List<SideOutput<Object>> lateSides() {
        return Stream.of(left.late(), right.late()).filter(Objects::nonNull).toList();
    }

    /**
     * What the function makes of a pair, or of one record without a partner.
     *
     * @return null for nothing
     */
    @SuppressWarnings("NullAway") // it does not check type arguments
    public @Nullable Object result(@Nullable Object leftRecord, @Nullable Object rightRecord) throws Exception {
        return function.apply(leftRecord, rightRecord);
    }

    /** The same as an operator that keeps records in its state. */
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
        return kindOfJoin() + " join, right " + Duration.ofMillis(lowerMs) + " to " + Duration.ofMillis(upperMs)
                + " from left";
    }

    private String kindOfJoin() {
        if (left.outer()) {
            return right.outer() ? "full" : "left";
        }
        return right.outer() ? "right" : "inner";
    }

    @Override
    public <R> R accept(NodeVisitor<R> visitor) {
        return visitor.intervalJoin(this);
    }
}
