// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.stats.StateStats;
import io.thalweg.engine.chain.BatchingStage;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.OperatorException;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Specialiser;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.TaskState;
import org.jspecify.annotations.Nullable;

/** One window over the whole input. Made by a specialiser. */
final class WholeStage implements Receiver, BatchingStage {
    private final Windowing windowing;
    private final Frame frame;
    private final KeyHash hashes;
    private final MapFunction<Object, Object> key;
    private final Adder adder;
    private final KeyTable table;

    /** Null if each record is processed when it comes. */
    private final @Nullable LookupBatch held;

    private int cursor;

    /** @param held null if records may not be processed later than they come */
    record Parts(Windowing windowing, @Nullable LookupBatch held) implements Specialiser.Parts<Receiver> {
        @Override
        public Class<WholeStage> type() {
            return WholeStage.class;
        }
    }

    WholeStage(Parts parts) {
        windowing = parts.windowing();
        frame = windowing.frame();
        hashes = windowing.hashes();
        key = windowing.key();
        adder = windowing.adder();
        table = windowing.table();
        held = parts.held();
    }

    @Override
    public String operator() {
        return windowing.operator();
    }

    @Override
    public void accept(Object value) throws Exception {
        try {
            Object k = key.apply(value);
            if (k == null) {
                throw NullValueException.ofKey(key, value);
            }
            int hash = hashes.of(k);
            if (held == null || frame.anchor != null || !held.holds(table)) {
                adder.add(table, windowing.entry(table, value, k, hash), windowing.kept(value));
                return;
            }
            if (!held.add(frame, value, k, hash)) {
                return;
            }
        } catch (Throwable thrown) {
            frame.onThrown(windowing.operator(), thrown);
            return;
        }
        settle();
    }

    /** The loop of {@link RunningStage}, which must stand in each class that is copied: its calls are then compiled for one type. */
    @Override
    public void settle() throws Exception {
        if (held == null || held.isEmpty() || frame.blocked) {
            return;
        }
        long timeInHand = frame.time;
        long stampInHand = frame.stamp;
        held.look(table);
        try {
            for (int at = held.next(frame); at >= 0; at = held.next(frame)) {
                add(held.value(at), held.key(at), held.hash(at), held.candidate(at));
            }
        } catch (OperatorException e) {
            throw LookupBatch.at(frame, e);
        }
        held.leave(frame, timeInHand, stampInHand);
    }

    private void add(Object value, Object k, int hash, int candidate) throws Exception {
        try {
            adder.add(table, windowing.entry(table, k, hash, candidate), windowing.kept(value));
        } catch (Throwable thrown) {
            frame.onThrown(windowing.operator(), thrown);
        }
    }

    @Override
    public boolean finish() throws Exception {
        settle();
        while (cursor < table.size()) {
            if (frame.pauses()) {
                return false;
            }
            int entry = cursor++;
            windowing.emit(table.key(entry), Long.MIN_VALUE, Long.MAX_VALUE, table, entry, Long.MIN_VALUE);
        }
        return true;
    }

    @Override
    public void save(TaskState to) {
        windowing.state().save(table, windowing.accumulators(), to);
    }

    @Override
    public void restore(Restored from) {
        windowing.state().restore(table, hashes, windowing.accumulators(from), from);
    }

    @Override
    public long windowsOpen() {
        return (long) table.size() - cursor;
    }

    @Override
    public StateStats stateStats() {
        return new StateStats(windowing.operator(), table.size(), table.bytes());
    }
}
