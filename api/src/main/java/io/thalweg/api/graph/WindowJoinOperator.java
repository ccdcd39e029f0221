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
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Keeps the records of both streams until the watermark says that their windows are complete, and joins them then. */
final class WindowJoinOperator implements KeyedTwoInputOperator<Object, Object, Object, Object> {
    /** Results of one call, so that the runner may stop between two calls while what comes behind has no room. */
    private static final int MOST_AT_ONCE = 1_024;

    private final WindowJoin join;
    private final JoinWindows windows;

    /** Keys that continue emitting in their next timer, which is set for the same time: no checkpoint comes in between. */
    private final Map<Object, Firing> firings = new HashMap<>();

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
        lefts = opened.listState(
                "left, in " + join.window(), Type.of(Kept.class, join.left().records()));
        rights = opened.listState(
                "right, in " + join.window(), Type.of(Kept.class, join.right().records()));
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
        long reached = Math.max(in.stamp(), in.watermark()); // the watermark is ahead if an input was idle
        OptionalLong fires = windows.fires(time, reached);
        if (fires.isEmpty()) {
            if (windows.fires(time, KeyedContext.NO_TIME).isPresent()) { // or else it lies between two windows
                in.countLate(value);
                if (side.late() != null) {
                    output.emit(side.late(), value);
                }
            }
        } else if (((Optional<?>) key).isPresent()) {
            opened(left ? lefts : rights).add(new Kept<>(value, time, reached));
            fireAt(fires.getAsLong());
        } else if (side.outer()) {
            JoinWindows.Member alone = new JoinWindows.Member(left, value, time, reached);
            new Firing(
                            Optional.empty(),
                            windows.fire(List.of(alone), Long.MAX_VALUE).groups())
                    .emit(Integer.MAX_VALUE, output);
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
        Firing firing = firings.remove(key);
        if (firing == null) {
            firing = new Firing((Optional<?>) key, fire(time));
        }
        if (!firing.emit(MOST_AT_ONCE, output)) {
            firings.put(key, firing);
            opened(context).setTimer(time);
        }
    }

    private List<JoinWindows.Group> fire(long time) {
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
        return fired.groups();
    }

    private static List<Kept<Object>> kept(List<JoinWindows.Member> members, boolean left) {
        return members.stream()
                .filter(each -> each.left() == left)
                .map(each -> new Kept<>(each.value(), each.time(), each.reached()))
                .toList();
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

    /** What windows that have fired give rise to, emitted part by part: of n and m records there are n times m pairs. */
    private final class Firing {
        private final Optional<?> key;
        private final Iterator<JoinWindows.Group> groups;
        private long end;

        /** Of the current window: its pairs, one for each left with each right. */
        private List<@Nullable Object> lefts = List.of();

        private List<@Nullable Object> rights = List.of();
        private int left;
        private int right;

        /** Of the current window: what the user's function made of it. */
        private Iterator<?> results = Collections.emptyIterator();

        private @Nullable CoGroup<Object, Object, Object> coGroup;

        Firing(Optional<?> key, List<JoinWindows.Group> groups) {
            this.key = key;
            this.groups = groups.iterator();
        }

        /** Emits some, at most {@code most}; true if that was all. */
        boolean emit(int most, Output<Object> output) throws Exception {
            for (int i = 0; i < most; i++) {
                while (!emitNext(output)) {
                    if (!groups.hasNext()) {
                        return true;
                    }
                    begin(groups.next());
                }
            }
            return false;
        }

        private void begin(JoinWindows.Group group) throws Exception {
            end = group.end();
            List<Object> ofLeft = values(group, true);
            List<Object> ofRight = values(group, false);
            if (join.groups() != null) {
                CoGroup<Object, Object, Object> all =
                        new CoGroup<>(key.orElse(null), group.start(), group.end(), ofLeft, ofRight);
                coGroup = all;
                results = results(join.groups(), all);
            } else {
                List<@Nullable Object> none = Collections.singletonList(null);
                lefts = ofLeft.isEmpty() && join.right().outer() ? none : List.copyOf(ofLeft);
                rights = ofRight.isEmpty() && join.left().outer() ? none : List.copyOf(ofRight);
                left = 0;
                right = 0;
            }
        }

        /** False if the current window has no more. */
        private boolean emitNext(Output<Object> output) throws Exception {
            if (join.pairs() == null) {
                return emitResult(output);
            }
            if (left == lefts.size() || rights.isEmpty()) {
                return false;
            }
            pair(join.pairs(), lefts.get(left), rights.get(right), end, output);
            right++;
            if (right == rights.size()) {
                right = 0;
                left++;
            }
            return true;
        }

        private boolean emitResult(Output<Object> output) {
            try {
                if (!results.hasNext()) {
                    return false;
                }
                Object result = results.next();
                if (result == null) {
                    throw NullValueException.ofCoGroup(opened(join.groups()), opened(coGroup));
                }
                WindowJoinOperator.this.emit(result, end, output);
            } catch (BadRecordException e) {
                opened(context).countBad(e); // other windows may fire in the same call
                results = Collections.emptyIterator();
            }
            return true;
        }

        private Iterator<?> results(
                FlatMapFunction<CoGroup<Object, Object, Object>, Object> function,
                CoGroup<Object, Object, Object> group)
                throws Exception {
            try {
                Iterable<?> made = function.apply(group);
                if (made == null) {
                    throw NullValueException.ofCoGroup(function, group);
                }
                return made.iterator();
            } catch (BadRecordException e) {
                opened(context).countBad(e);
                return Collections.emptyIterator();
            }
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
