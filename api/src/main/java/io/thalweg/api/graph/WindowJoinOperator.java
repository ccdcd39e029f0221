// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.FlatMapFunction;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedTwoInputOperator;
import io.thalweg.api.operator.ListState;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.PairFunction;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.window.CoGroup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Keeps the records of both streams until the watermark says that their windows are complete, and joins them then. */
final class WindowJoinOperator implements KeyedTwoInputOperator<Object, Object, Object, Object> {
    private final WindowJoin join;
    private final JoinWindows windows;
    private @Nullable KeyedContext context;
    private @Nullable ListState<Kept<Object>> lefts;
    private @Nullable ListState<Kept<Object>> rights;
    private @Nullable ValueState<Long> next;

    WindowJoinOperator(WindowJoin join) {
        this.join = join;
        windows = JoinWindows.of(join.window());
    }

    /** @param reached as {@link JoinWindows.Member} has it */
    record Kept<T>(T value, long time, long reached) {}

    private static <T> T opened(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("not open");
        }
        return part;
    }

    @Override
    public void open(KeyedContext opened) {
        context = opened;
        lefts = opened.listState("left", Type.of(Kept.class, join.left().records()));
        rights = opened.listState("right", Type.of(Kept.class, join.right().records()));
        next = opened.state("next", Type.of(Long.class));
    }

    @Override
    public List<SideOutput<?>> sideOutputs() {
        return List.copyOf(join.lateSides());
    }

    @Override
    public void processFirst(Object key, Object value, Output<Object> output) throws Exception {
        process(key, value, true, output);
    }

    @Override
    public void processSecond(Object key, Object value, Output<Object> output) throws Exception {
        process(key, value, false, output);
    }

    private void process(Object key, Object value, boolean left, Output<Object> output) throws Exception {
        KeyedContext in = opened(context);
        long time = in.eventTime();
        if (time == KeyedContext.NO_TIME && join.window().needsEventTime()) {
            throw new BadRecordException("the record has no event time", value.toString());
        }
        JoinSide side = left ? join.left() : join.right();
        OptionalLong fires = windows.fires(time, Math.max(in.stamp(), in.watermark())); // ahead if an input was idle
        if (fires.isEmpty()) {
            if (windows.fires(time, KeyedContext.NO_TIME).isPresent()) { // or else it lies between two windows
                in.countLate();
                if (side.late() != null) {
                    output.emit(side.late(), value);
                }
            }
        } else if (((Optional<?>) key).isPresent()) {
            opened(left ? lefts : rights).add(new Kept<>(value, time, in.stamp()));
            fireAt(fires.getAsLong());
        } else if (side.outer()) {
            JoinWindows.Member alone = new JoinWindows.Member(left, value, time, in.stamp());
            for (JoinWindows.Group group :
                    windows.fire(List.of(alone), Long.MAX_VALUE).groups()) {
                emit(Optional.empty(), group, output);
            }
        }
    }

    /** A key has one timer, for the first of its windows. */
    private void fireAt(long time) {
        Long before = opened(next).get();
        if (before == null || time < before) {
            if (before != null) {
                opened(context).cancelTimer(before);
            }
            opened(next).set(time);
            opened(context).setTimer(time);
        }
    }

    @Override
    public void onTimer(Object key, long time, Output<Object> output) throws Exception {
        List<JoinWindows.Member> members = new ArrayList<>();
        for (Kept<Object> each : opened(lefts)) {
            members.add(new JoinWindows.Member(true, each.value(), each.time(), each.reached()));
        }
        for (Kept<Object> each : opened(rights)) {
            members.add(new JoinWindows.Member(false, each.value(), each.time(), each.reached()));
        }
        JoinWindows.Fired fired = windows.fire(members, time);
        opened(lefts).set(kept(fired.kept(), true));
        opened(rights).set(kept(fired.kept(), false));
        opened(next).clear();
        if (fired.next().isPresent()) {
            fireAt(fired.next().getAsLong());
        }
        for (JoinWindows.Group group : fired.groups()) {
            emit((Optional<?>) key, group, output);
        }
    }

    private static List<Kept<Object>> kept(List<JoinWindows.Member> members, boolean left) {
        return members.stream()
                .filter(each -> each.left() == left)
                .map(each -> new Kept<>(each.value(), each.time(), each.reached()))
                .toList();
    }

    private void emit(Optional<?> key, JoinWindows.Group group, Output<Object> output) throws Exception {
        List<Object> left = values(group, true);
        List<Object> right = values(group, false);
        if (join.groups() != null) {
            groups(join.groups(), new CoGroup<>(key.orElse(null), group.start(), group.end(), left, right), output);
        } else if (join.pairs() != null) {
            List<@Nullable Object> none = Collections.singletonList(null);
            List<@Nullable Object> one = left.isEmpty() && join.right().outer() ? none : List.copyOf(left);
            List<@Nullable Object> other = right.isEmpty() && join.left().outer() ? none : List.copyOf(right);
            for (@Nullable Object each : one) {
                for (@Nullable Object partner : other) {
                    pair(join.pairs(), each, partner, group.end(), output);
                }
            }
        }
    }

    /** In the order of their event times. */
    private static List<Object> values(JoinWindows.Group group, boolean left) {
        return group.members().stream()
                .filter(each -> each.left() == left)
                .sorted(Comparator.comparingLong(JoinWindows.Member::time))
                .map(JoinWindows.Member::value)
                .toList();
    }

    @SuppressWarnings("NullAway") // it does not check type arguments
    private void pair(
            PairFunction<@Nullable Object, @Nullable Object, Object> function,
            @Nullable Object left,
            @Nullable Object right,
            long end,
            Output<Object> output)
            throws Exception {
        Object result;
        try {
            result = function.apply(left, right);
        } catch (BadRecordException e) {
            opened(context).countBad(e); // there may be more pairs
            return;
        }
        if (result != null) {
            emit(result, end, output);
        }
    }

    private void groups(
            FlatMapFunction<CoGroup<Object, Object, Object>, Object> function,
            CoGroup<Object, Object, Object> group,
            Output<Object> output)
            throws Exception {
        try {
            Iterable<?> results = function.apply(group);
            if (results == null) {
                throw NullValueException.ofCoGroup(function, group);
            }
            for (Object result : results) {
                if (result == null) {
                    throw NullValueException.ofCoGroup(function, group);
                }
                emit(result, group.end(), output);
            }
        } catch (BadRecordException e) {
            opened(context).countBad(e); // other windows may fire in the same call
        }
    }

    private void emit(Object result, long end, Output<Object> output) {
        if (join.window().needsEventTime()) {
            output.emitAt(end - 1, result);
        } else {
            output.emit(result);
        }
    }
}
