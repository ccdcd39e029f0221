// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.api.connector.ConfirmedReader;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.engine.ack.Pending;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Tells the readers of one task which of their records are done and safe, so that their source may forget them. */
public final class Confirmations {
    /** When what came of a record that is done is safe from a failure. */
    public enum Safe {
        /** All sinks let it go at once. */
        AT_ONCE,
        BY_CHECKPOINT,
        /** Some sink shows it when the job ends. */
        AT_THE_END
    }

    private final TaskSplits splits;
    private final Safe safe;

    /** By number of the split, those that want to know. */
    private final Map<Integer, ConfirmedReader<?>> readers = new HashMap<>();

    /** Records that are done since the last barrier, and those done before one, by its checkpoint. */
    private final List<Pending.Sent> untold = new ArrayList<>();

    private final TreeMap<Long, List<Pending.Sent>> untoldOf = new TreeMap<>();

    /** @param safe the latest of all sinks */
    public Confirmations(TaskSplits splits, Safe safe) {
        this.splits = splits;
        this.safe = safe;
    }

    /** The reader wants to know what becomes of its records. */
    void add(int split, ConfirmedReader<?> reader) {
        readers.put(split, reader);
    }

    /** The readers are about to be closed. */
    void forgetReaders() {
        readers.clear();
    }

    /** A record that is done is safe at once: there are no checkpoints, and no sink holds it back. */
    boolean safeAtOnce() {
        return safe == Safe.AT_ONCE;
    }

    /** A record is done. */
    void done(Pending.Sent record) {
        if (!readers.containsKey(record.split())) {
            return;
        }
        if (safe == Safe.BY_CHECKPOINT) {
            untold.add(record);
        } else {
            confirm(record);
        }
    }

    /** What is done so far belongs to a checkpoint. */
    void onSaved(long checkpoint) {
        if (!untold.isEmpty()) {
            untoldOf.computeIfAbsent(checkpoint, number -> new ArrayList<>()).addAll(untold);
            untold.clear();
        }
    }

    /** What was done up to a checkpoint is safe. */
    void onCompleted(long checkpoint) {
        Map<Long, List<Pending.Sent>> told = untoldOf.headMap(checkpoint, true);
        told.values().forEach(each -> each.forEach(this::confirm));
        told.clear();
    }

    private void confirm(Pending.Sent record) {
        ConfirmedReader<?> reader = readers.get(record.split());
        if (reader == null || (reader instanceof BackgroundReader background && !background.wantsToKnow())) {
            return;
        }
        if (safe == Safe.AT_THE_END) {
            throw new ConnectorException("operator '" + splits.operator()
                    + "': the source gives up records that are confirmed, and a sink of this job shows what it was"
                    + " given at the end only; give the job a directory for checkpoints");
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
