// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.operator.Keyed;
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

/** Emits the result so far after every record. Made by a specialiser. */
final class RunningStage implements Receiver, BatchingStage {
    private final Windowing windowing;
    private final Frame frame;
    private final KeyHash hashes;
    private final KeyTable table;

    /** Null if each record is processed when it comes. */
    private final @Nullable LookupBatch held;

    /** @param held null if records may not be processed later than they come */
    record Parts(Windowing windowing, @Nullable LookupBatch held) implements Specialiser.Parts<Receiver> {
        @Override
        public Class<RunningStage> type() {
            return RunningStage.class;
        }
    }

    RunningStage(Parts parts) {
        windowing = parts.windowing();
        frame = windowing.frame();
        hashes = windowing.hashes();
        table = windowing.table();
        held = parts.held();
    }

    @Override
    public String operator() {
        return windowing.operator();
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
    public void accept(Object value) throws Exception {
        Object key;
        int hash;
        try {
            key = windowing.key().apply(value);
            if (key == null) {
                throw NullValueException.ofKey(windowing.key(), value);
            }
            hash = hashes.of(key);
        } catch (Throwable thrown) {
            frame.onThrown(windowing.operator(), thrown);
            return;
        }
        if (held == null || frame.anchor != null || !held.holds(table)) {
            add(value, key, hash, -1);
        } else if (held.add(frame, value, key, hash) && !frame.blocked) {
            settle();
        }
    }

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

    @Override
    public boolean advance(long watermark) throws Exception {
        settle();
        return !frame.blocked;
    }

    @SuppressWarnings("NullAway") // an aggregate over no values may have no result
    private void add(Object value, Object key, int hash, int candidate) throws Exception {
        Object result;
        try {
            int entry = windowing.entry(table, key, hash, candidate);
            windowing.adder().add(table, entry, windowing.kept(value));
            result = windowing.results().of(table, entry);
        } catch (Throwable thrown) {
            frame.onThrown(windowing.operator(), thrown);
            return;
        }
        windowing.next().accept(new Keyed<>(key, result));
    }

    @Override
    public StateStats stateStats() {
        return new StateStats(windowing.operator(), table.size(), table.bytes());
    }
}
