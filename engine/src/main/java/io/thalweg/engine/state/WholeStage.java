// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.stats.StateStats;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Specialiser;
import io.thalweg.engine.chain.Stage;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.TaskState;

/** One window over the whole input. Made by a specialiser. */
final class WholeStage implements Receiver, Stage {
    private final Windowing windowing;
    private final Frame frame;
    private final MapFunction<Object, Object> key;
    private final Adder adder;
    private final KeyTable table;
    private int cursor;

    record Parts(Windowing windowing) implements Specialiser.Parts<Receiver> {
        @Override
        public Class<WholeStage> type() {
            return WholeStage.class;
        }
    }

    WholeStage(Parts parts) {
        windowing = parts.windowing();
        frame = windowing.frame();
        key = windowing.key();
        adder = windowing.adder();
        table = windowing.table();
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
            int entry = windowing.entry(table, value, k, KeyTable.hash(k));
            adder.add(table, entry, windowing.kept(value));
        } catch (Throwable thrown) {
            frame.onThrown(windowing.operator(), thrown);
        }
    }

    @Override
    public boolean finish() throws Exception {
        while (cursor < table.size()) {
            if (frame.blocked) {
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
        windowing.state().restore(table, windowing.accumulators(from), from);
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
