// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import io.thalweg.api.codec.Type;
import io.thalweg.api.graph.WindowJoin;
import io.thalweg.api.operator.FlatMapFunction;
import io.thalweg.api.operator.PairFunction;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.window.CoGroup;
import io.thalweg.api.window.WindowSpec;
import org.jspecify.annotations.Nullable;

/**
 * Two streams joined by a key and by windows. {@link #inner}, {@link #left}, {@link #right}, {@link #full} and {@link
 * #coGroup} say what is emitted for a window, and add the operator. Both streams need event time, except for {@link
 * io.thalweg.api.window.Windows#whole}. A session contains records of both streams that follow each other without a
 * gap.
 *
 * <p>A record is late if the watermark of its own split had reached the last millisecond of all its windows before it
 * came: it is counted as late and joined with nothing; {@link #lateLeftTo} and {@link #lateRightTo} collect such
 * records. So windows contain the same records on every run and at any parallelism. A window fires once, when the
 * watermark reaches its last millisecond, which is the event time of its results; records are kept until then.
 *
 * <p>A record without a key matches nothing, not even another one: if its side is an outer one it is emitted at once,
 * as a record without a partner, for each of its windows; otherwise it is dropped.
 *
 * <p>Results of a window are ordered by the event times of their left records, and then by those of their right
 * records; records with equal times, and all of {@link io.thalweg.api.window.Windows#whole}, are in the order of arrival,
 * which may differ from run to run.
 *
 * @param <K> keys of both
 * @param <A> records of the left stream
 * @param <B> records of the right stream
 */
public final class WindowJoinedStreams<K, A, B> {
    private final JoinInputs inputs;
    private final WindowSpec window;

    WindowJoinedStreams(KeyedJoin<K, A, B> join, WindowSpec window) {
        inputs = JoinInputs.of("window-join", join);
        this.window = window;
    }

    /**
     * Sends left records that are late for all their windows to a side output; read it with {@link Stream#side} on the
     * stream of results.
     */
    public WindowJoinedStreams<K, A, B> lateLeftTo(SideOutput<A> side) {
        inputs.lateLeft = Stream.cast(side);
        return this;
    }

    /**
     * Sends right records that are late for all their windows to a side output; read it with {@link Stream#side} on the
     * stream of results.
     */
    public WindowJoinedStreams<K, A, B> lateRightTo(SideOutput<B> side) {
        inputs.lateRight = Stream.cast(side);
        return this;
    }

    /**
     * An inner join: emits a result for each pair of a left and a right record of a window.
     *
     * @param function returning null drops the pair
     */
    public <R> Stream<R> inner(PairFunction<? super A, ? super B, ? extends R> function) {
        return pairs(false, false, function);
    }

    /**
     * A left outer join: emits a result for each pair; {@code right} is null for each left record whose window has no
     * right one.
     *
     * @param function returning null drops the result
     */
    public <R> Stream<R> left(PairFunction<? super A, ? super @Nullable B, ? extends R> function) {
        return pairs(true, false, function);
    }

    /**
     * A right outer join: emits a result for each pair; {@code left} is null for each right record whose window has no
     * left one.
     *
     * @param function returning null drops the result
     */
    public <R> Stream<R> right(PairFunction<? super @Nullable A, ? super B, ? extends R> function) {
        return pairs(false, true, function);
    }

    /**
     * A full outer join: emits a result for each pair, and for each record whose window has none of the other stream,
     * which is then null.
     *
     * @param function never receives two nulls; returning null drops the result
     */
    public <R> Stream<R> full(PairFunction<? super @Nullable A, ? super @Nullable B, ? extends R> function) {
        return pairs(true, true, function);
    }

    private <R> Stream<R> pairs(boolean leftOuter, boolean rightOuter, PairFunction<?, ?, ? extends R> function) {
        return inputs.add(
                new WindowJoin(inputs.left(leftOuter), inputs.right(rightOuter), window, Stream.cast(function), null),
                Stream.result(function, PairFunction.class));
    }

    /**
     * Passes all records of a key and window to a function, also if one of the streams has none. Each record without a
     * key is a group of its own, whose key is null.
     *
     * <pre>{@code
     * static List<Balance> balance(CoGroup<String, Order, Payment> hour) {
     *     return List.of(new Balance(hour.key(), hour.start(), hour.left().size(), hour.right().size()));
     * }
     * }</pre>
     *
     * @param function its results are drawn one by one; an empty iterable for none, never null. The type of the results
     *     cannot be read from a lambda: declare it with {@link Stream#as}
     */
    public <R> Stream<R> coGroup(FlatMapFunction<CoGroup<K, A, B>, ? extends R> function) {
        Type<?> element = Stream.elements(function);
        return inputs.add(
                new WindowJoin(inputs.left(true), inputs.right(true), window, null, Stream.cast(function)), element);
    }
}
