// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.api.connector.BackgroundReader;
import io.thalweg.api.connector.ConfirmedReader;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.engine.ack.Pending;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Confirms to the readers of one task which of their records are done and safe, so that the source may delete them. */
public final class Confirmations {
    /** When the output of a record that is done survives a failure. */
    public enum Safe {
        /** As soon as it is written, in all sinks. */
        AT_ONCE,
        BY_CHECKPOINT,
        /** When the job ends, because some sink commits only then. */
        AT_THE_END
    }

    private final TaskSplits splits;
    private final Safe safe;

    /** The readers that want confirmations, by number of the split. */
    private final Map<Integer, ConfirmedReader<?>> readers = new HashMap<>();

    /** Records done since the last barrier, and records done before a barrier, by its checkpoint. */
    private final List<Pending.Entry> untold = new ArrayList<>();

    private final TreeMap<Long, List<Pending.Entry>> untoldOf = new TreeMap<>();

    /** @param safe the latest of all sinks */
    public Confirmations(TaskSplits splits, Safe safe) {
        this.splits = splits;
        this.safe = safe;
    }

    /** Adds a reader that wants confirmations. */
    void add(int split, ConfirmedReader<?> reader) {
        readers.put(split, reader);
    }

    /** The readers are about to be closed. */
    void forgetReaders() {
        readers.clear();
    }

    /** True if a record that is done is safe at once: there are no checkpoints, and no sink delays its output. */
    boolean safeAtOnce() {
        return safe == Safe.AT_ONCE;
    }

    /** A record is done. */
    void done(Pending.Entry record) {
        if (!readers.containsKey(record.split())) {
            return;
        }
        if (safe == Safe.BY_CHECKPOINT) {
            untold.add(record);
        } else {
            confirm(record);
        }
    }

    /** What is done so far belongs to this checkpoint. */
    void onSaved(long checkpoint) {
        if (!untold.isEmpty()) {
            untoldOf.computeIfAbsent(checkpoint, number -> new ArrayList<>()).addAll(untold);
            untold.clear();
        }
    }

    /** What was done up to a checkpoint is safe. */
    void onCompleted(long checkpoint) {
        Map<Long, List<Pending.Entry>> reported = untoldOf.headMap(checkpoint, true);
        reported.values().forEach(each -> each.forEach(this::confirm));
        reported.clear();
    }

    private void confirm(Pending.Entry record) {
        ConfirmedReader<?> reader = readers.get(record.split());
        if (reader == null || (reader instanceof BackgroundReader background && !background.wantsToKnow())) {
            return;
        }
        if (safe == Safe.AT_THE_END) {
            throw new ConnectorException("operator '" + splits.operator()
                    + "': the source deletes records that are confirmed, but a sink of this job commits only when the"
                    + " job ends; give the job a directory for checkpoints");
        }
        try {
            reader.confirm(record.position());
        } catch (Exception e) {
            throw new ConnectorException(
                    "operator '" + splits.operator() + "', split '" + splits.name(record.split())
                            + "': the source failed to confirm the record at " + record.position() + ": " + e,
                    e);
        }
    }
}
