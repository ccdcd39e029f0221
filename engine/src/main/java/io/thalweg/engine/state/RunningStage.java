// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.operator.Keyed;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.stats.StateStats;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Specialiser;
import io.thalweg.engine.chain.Stage;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.TaskState;

/** Emits the result so far after every record. Made by a specialiser. */
final class RunningStage implements Receiver, Stage {
    private final Windowing windowing;
    private final KeyTable table;

    record Parts(Windowing windowing) implements Specialiser.Parts<Receiver> {
        @Override
        public Class<RunningStage> type() {
            return RunningStage.class;
        }
    }

    RunningStage(Parts parts) {
        windowing = parts.windowing();
        table = windowing.table();
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
        windowing.state().restore(table, windowing.accumulators(from), from);
    }

    @Override
    @SuppressWarnings("NullAway") // an aggregate over no values may have no result
    public void accept(Object value) throws Exception {
        Object result;
        Object k;
        try {
            k = windowing.key().apply(value);
            if (k == null) {
                throw NullValueException.ofKey(windowing.key(), value);
            }
            int entry = windowing.entry(table, k, KeyTable.hash(k));
            windowing.adder().add(table, entry, windowing.kept(value));
            result = table.result(entry);
        } catch (Throwable thrown) {
            windowing.frame().onThrown(windowing.operator(), thrown);
            return;
        }
        windowing.next().accept(new Keyed<>(k, result));
    }

    @Override
    public StateStats stateStats() {
        return new StateStats(windowing.operator(), table.size(), table.bytes());
    }
}
