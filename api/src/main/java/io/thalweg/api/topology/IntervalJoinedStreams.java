// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import io.thalweg.api.graph.GraphBuilder;
import io.thalweg.api.graph.IntervalJoin;
import io.thalweg.api.operator.PairFunction;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.window.EventDuration;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Two streams joined by a key and by an interval of event time. {@link #inner}, {@link #left}, {@link #right} and
 * {@link #full} say what becomes of records without a partner, and add the operator. Both streams need event time.
 *
 * <p>A record is late if the watermark of its own split had reached its time before it came: it is counted as late and
 * joined with nothing; {@link #lateLeftTo} and {@link #lateRightTo} collect such records. Any two records that are not
 * late meet, so the results are the same on every run and at any parallelism.
 *
 * <p>The event time of a pair is that of its later record. A record without a partner is emitted once the watermark
 * shows that none can come any more, and that moment is its event time.
 *
 * @param <A> records of the left stream
 * @param <B> records of the right stream
 */
public final class IntervalJoinedStreams<A, B> {
    private static final String KIND = "interval-join";

    private final JoinInputs inputs;
    private final long lowerMs;
    private final long upperMs;

    IntervalJoinedStreams(KeyedJoin<?, A, B> join, Duration lower, Duration upper) {
        GraphBuilder builder = join.left().builder();
        if (lower.compareTo(upper) > 0) {
            throw builder.problem(
                    KIND,
                    "between(" + lower + ", " + upper
                            + ") holds nothing, because the lower bound is the greater one; swap" + " them");
        }
        lowerMs = millis(builder, lower);
        upperMs = millis(builder, upper);
        inputs = JoinInputs.of(KIND, join);
    }

    private static long millis(GraphBuilder builder, Duration bound) {
        try {
            return EventDuration.millis("a bound", bound);
        } catch (IllegalArgumentException e) {
            throw builder.problem(KIND, String.valueOf(e.getMessage()));
        }
    }

    /** Sends late left records to a side output; read it with {@link Stream#side} on the stream of results. */
    public IntervalJoinedStreams<A, B> lateLeftTo(SideOutput<A> side) {
        inputs.lateLeft = Stream.cast(side);
        return this;
    }

    /** Sends late right records to a side output; read it with {@link Stream#side} on the stream of results. */
    public IntervalJoinedStreams<A, B> lateRightTo(SideOutput<B> side) {
        inputs.lateRight = Stream.cast(side);
        return this;
    }

    /**
     * An inner join: emits a result for each pair.
     *
     * @param function returning null drops the pair
     */
    public <R> Stream<R> inner(PairFunction<? super A, ? super B, ? extends R> function) {
        return join(false, false, function);
    }

    /**
     * A left outer join: emits a result for each pair, and for each left record without a partner, whose {@code right}
     * is null.
     *
     * @param function returning null drops the result
     */
    public <R> Stream<R> left(PairFunction<? super A, ? super @Nullable B, ? extends R> function) {
        return join(true, false, function);
    }

    /**
     * A right outer join: emits a result for each pair, and for each right record without a partner, whose {@code left}
     * is null.
     *
     * @param function returning null drops the result
     */
    public <R> Stream<R> right(PairFunction<? super @Nullable A, ? super B, ? extends R> function) {
        return join(false, true, function);
    }

    /**
     * A full outer join: emits a result for each pair, and for each record without a partner, whose other side is null.
     *
     * @param function never receives two nulls; returning null drops the result
     */
    public <R> Stream<R> full(PairFunction<? super @Nullable A, ? super @Nullable B, ? extends R> function) {
        return join(true, true, function);
    }

    private <R> Stream<R> join(boolean leftOuter, boolean rightOuter, PairFunction<?, ?, ? extends R> function) {
        IntervalJoin spec = new IntervalJoin(
                inputs.left(leftOuter), inputs.right(rightOuter), lowerMs, upperMs, Stream.cast(function));
        return inputs.add(spec, Stream.result(function, PairFunction.class));
    }
}
