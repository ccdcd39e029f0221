// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedTwoInputOperator;
import io.thalweg.api.operator.ListState;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.SideOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the records of each stream until the watermark says that no partner can come any more. A record that comes in is joined
 * with what is kept of the other stream: of two partners the one that comes later finds the other.
 */
final class IntervalJoinOperator implements KeyedTwoInputOperator<Object, Object, Object, Object> {
    private final IntervalJoin join;
    private final Kept left;
    private final Kept right;
    private @Nullable KeyedContext context;

    IntervalJoinOperator(IntervalJoin join) {
        this.join = join;
        long span = join.upperMs() - join.lowerMs();
        left = new Kept(join.left(), join.leftWaitsMs(), span);
        right = new Kept(join.right(), join.rightWaitsMs(), span);
    }

    /** @param matched it had a partner; kept up to date only in an outer join */
    record Waiting<T>(T value, long time, boolean matched) {}

    /** What is kept of one stream. */
    private static final class Kept {
        private final JoinSide side;
        private final long waitsMs;
        private final long stepMs;
        private @Nullable ListState<Waiting<Object>> state;

        Kept(JoinSide side, long waitsMs, long spanMs) {
            this.side = side;
            this.waitsMs = waitsMs;
            stepMs = side.outer() ? 1 : Math.max(1, spanMs / 4);
        }

        /** Records of an outer join are not kept under the name of those of an inner one, which do not know their partners. */
        void open(KeyedContext context, String name) {
            state = context.listState(side.outer() ? name + " outer" : name, Type.of(Waiting.class, side.records()));
        }

        ListState<Waiting<Object>> waiting() {
            return opened(state);
        }

        /** From this time of the watermark on a record of that time can have no partner to come. */
        long end(long time) {
            return time + waitsMs;
        }

        /** When to look for records to drop: those whose end nobody is told of may wait for others. */
        long timer(long time) {
            return -Math.floorDiv(-end(time), stepMs) * stepMs; // rounded up
        }
    }

    private static <T> T opened(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("not open");
        }
        return part;
    }

    @Override
    public void open(KeyedContext opened) {
        context = opened;
        left.open(opened, join.stateOf("left"));
        right.open(opened, join.stateOf("right"));
    }

    @Override
    public List<SideOutput<?>> sideOutputs() {
        return List.copyOf(join.lateSides());
    }

    @Override
    public void processFirst(Object key, Object value, Output<Object> output) throws Exception {
        process(key, value, left, right, output);
    }

    @Override
    public void processSecond(Object key, Object value, Output<Object> output) throws Exception {
        process(key, value, right, left, output);
    }

    private void process(Object key, Object value, Kept own, Kept other, Output<Object> output) throws Exception {
        KeyedContext in = opened(context);
        long time = in.eventTime();
        if (time == KeyedContext.NO_TIME) {
            throw new BadRecordException("the record has no event time", value.toString());
        }
        if (time <= Math.max(in.stamp(), in.watermark())) { // the watermark is ahead where an input was idle
            in.countLate(value);
            if (own.side.late() != null) {
                output.emit(own.side.late(), value);
            }
            return;
        }
        if (((Optional<?>) key).isEmpty()) {
            if (own.side.outer()) {
                emit(own.end(time), own, value, null, output);
            }
            return;
        }
        boolean matched = match(value, time, own, other, output);
        own.waiting().add(new Waiting<>(value, time, matched));
        in.setTimer(own.timer(time));
    }

    /**
     * Emits the record with each of its partners; false if there is none yet. They are told first that they have a partner: of a
     * record that fails halfway, some pairs are out.
     */
    private boolean match(Object value, long time, Kept own, Kept other, Output<Object> output) throws Exception {
        List<Waiting<Object>> partners = List.of();
        boolean news = false;
        for (Waiting<Object> each : other.waiting()) {
            if (near(time, each.time(), own)) {
                partners = partners.isEmpty() ? new ArrayList<>() : partners;
                partners.add(each);
                news |= !each.matched();
            }
        }
        if (news && other.side.outer()) {
            List<Waiting<Object>> now = new ArrayList<>();
            for (Waiting<Object> each : other.waiting()) {
                now.add(near(time, each.time(), own) ? new Waiting<>(each.value(), each.time(), true) : each);
            }
            other.waiting().set(now);
        }
        for (Waiting<Object> each : partners) {
            emit(Math.max(time, each.time()), own, value, each.value(), output);
        }
        return !partners.isEmpty();
    }

    private boolean near(long time, long otherTime, Kept own) {
        long later = own == left ? otherTime - time : time - otherTime;
        return join.lowerMs() <= later && later <= join.upperMs();
    }

    private void emit(long time, Kept own, Object value, @Nullable Object partner, Output<Object> output)
            throws Exception {
        Object result;
        try {
            result = own == left ? join.result(value, partner) : join.result(partner, value);
        } catch (BadRecordException e) {
            opened(context).countBad(e); // there may be more partners
            return;
        }
        if (result != null) {
            output.emitAt(time, result);
        }
    }

    @Override
    public void onTimer(Object key, long time, Output<Object> output) throws Exception {
        drop(left, time, output);
        drop(right, time, output);
    }

    /** Drops records that can have no partner any more, and emits those that never had one. */
    private void drop(Kept kept, long time, Output<Object> output) throws Exception {
        boolean any = false;
        long next = Long.MAX_VALUE;
        for (Waiting<Object> each : kept.waiting()) {
            if (kept.end(each.time()) > time) {
                next = Math.min(next, kept.timer(each.time()));
            } else {
                any = true;
            }
        }
        List<Waiting<Object>> alone = any ? takeOut(kept, time, next == Long.MAX_VALUE) : List.of();
        if (next < Long.MAX_VALUE) {
            opened(context).setTimer(next); // set before, unless the job was restored with other bounds
        }
        for (Waiting<Object> each : alone) {
            emit(time, kept, each.value(), null, output);
        }
    }

    /**
     * Takes out those whose end the time has reached, and returns those of an outer stream that had no partner.
     *
     * @param all it is true of all
     */
    private static List<Waiting<Object>> takeOut(Kept kept, long time, boolean all) {
        if (all && !kept.side.outer()) {
            kept.waiting().clear();
            return List.of();
        }
        List<Waiting<Object>> still = new ArrayList<>();
        List<Waiting<Object>> alone = new ArrayList<>();
        for (Waiting<Object> each : kept.waiting()) {
            if (kept.end(each.time()) > time) {
                still.add(each);
            } else if (kept.side.outer() && !each.matched()) {
                alone.add(each);
            }
        }
        kept.waiting().set(still);
        return alone;
    }
}
