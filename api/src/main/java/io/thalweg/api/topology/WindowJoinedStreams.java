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
 * Two streams to be joined by a key and by windows; what is left to say is what becomes of the records of a window. Both streams
 * need event time, except for {@link io.thalweg.api.window.Windows#whole}. A session holds records of both streams that follow
 * each other without a pause.
 *
 * <p>A record is late if the watermark of its own split had reached the last millisecond of all its windows before it: it is
 * counted as late and joined with nothing, and {@link #lateLeftTo} and {@link #lateRightTo} say where it goes. So windows hold the
 * same records on every run and at any parallelism. A window fires once, when the watermark reaches its last millisecond, which
 * is the event time of its results; records are kept until then.
 *
 * <p>A record without a key meets nothing, not even another one: it comes out at once, as one that has no partner in each of its
 * windows, if its side is an outer one, and otherwise not at all.
 *
 * <p>Results of a window come in the order of the event times of their left records, and of equal ones by their right records;
 * records of the same time come in the order of arrival, which may differ from run to run.
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

    /** Where left records go that are late for all their windows; read it with {@code side} on the stream of results. */
    public WindowJoinedStreams<K, A, B> lateLeftTo(SideOutput<A> side) {
        inputs.lateLeft = Stream.cast(side);
        return this;
    }

    /** Where right records go that are late for all their windows; read it with {@code side} on the stream of results. */
    public WindowJoinedStreams<K, A, B> lateRightTo(SideOutput<B> side) {
        inputs.lateRight = Stream.cast(side);
        return this;
    }

    /** A result for each pair of a left and a right record of a window. */
    public <R> Stream<R> inner(PairFunction<? super A, ? super B, ? extends R> function) {
        return pairs(false, false, function);
    }

    /** A result for each pair; {@code right} is null for each left record whose window holds no right one. */
    public <R> Stream<R> left(PairFunction<? super A, ? super @Nullable B, ? extends R> function) {
        return pairs(true, false, function);
    }

    /** A result for each pair; {@code left} is null for each right record whose window holds no left one. */
    public <R> Stream<R> right(PairFunction<? super @Nullable A, ? super B, ? extends R> function) {
        return pairs(false, true, function);
    }

    /** A result for each pair, and for each record whose window holds none of the other stream, which is null then. */
    public <R> Stream<R> full(PairFunction<? super @Nullable A, ? super @Nullable B, ? extends R> function) {
        return pairs(true, true, function);
    }

    private <R> Stream<R> pairs(boolean leftOuter, boolean rightOuter, PairFunction<?, ?, ? extends R> function) {
        return inputs.add(
                new WindowJoin(inputs.left(leftOuter), inputs.right(rightOuter), window, Stream.cast(function), null),
                Stream.result(function, PairFunction.class));
    }

    /**
     * Hands all records of a key and window to a function, also if one of the streams has none. Each record without a key is a group
     * of its own, whose key is null.
     *
     * <pre>{@code
     * static List<Balance> balance(CoGroup<String, Order, Payment> hour) {
     *     return List.of(new Balance(hour.key(), hour.start(), hour.left().size(), hour.right().size()));
     * }
     * }</pre>
     *
     * @param function results are drawn one by one; empty for none. If it is a lambda, its type of results cannot be read: say it
     *     with {@link Stream#as} after it
     */
    public <R> Stream<R> coGroup(FlatMapFunction<CoGroup<K, A, B>, ? extends R> function) {
        Type<?> element = Stream.elements(function);
        return inputs.add(
                new WindowJoin(inputs.left(true), inputs.right(true), window, null, Stream.cast(function)), element);
    }
}
