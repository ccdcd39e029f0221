// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.StateName;
import io.thalweg.engine.checkpoint.TaskState;
import io.thalweg.engine.stats.TaskCounters;

/**
 * Saves in checkpoints how many records a task has read, and how many of them were bad. Otherwise a job could get past
 * its limit of bad records just by being restarted.
 */
final class SavedCounts {
    private static final String COUNTS = "counts";

    private SavedCounts() {}

    /** @param input name of the operator at the head of the chain */
    static void save(String input, TaskCounters counters, TaskState to) {
        TaskCounters.Inputs all = counters.inputs();
        ByteWriter out = to.whole(new StateName(input, COUNTS), COUNTS);
        out.writeVarLong(all.read());
        out.writeVarLong(all.unread());
        out.writeVarLong(all.bad());
        out.writeVarLong(all.records());
    }

    static void restore(String input, Restored from, TaskCounters counters) {
        for (ByteReader in : from.share(new StateName(input, COUNTS), COUNTS)) {
            counters.goOnFrom(
                    new TaskCounters.Inputs(in.readVarLong(), in.readVarLong(), in.readVarLong(), in.readVarLong()));
        }
    }
}
