// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.SinkContext;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds batches until the checkpoint is complete that promises them, which keeps them, too. Whoever sends them once more, in another
 * process, sends the same bytes with the same keys.
 */
final class HoldingWriter<T> implements CheckpointedWriter<T> {
    private final Requests<T> requests;
    private final Batches batches;
    private final RequestsInFlight sending;
    private final List<Batch> held = new ArrayList<>();
    private final List<SavedOutput.Held> promised = new ArrayList<>();

    /** The latest that anything was heard of. */
    private long latest;

    HoldingWriter(Requests<T> requests, Batching batching, RequestsInFlight sending, SinkContext context) {
        this.requests = requests;
        this.sending = sending;
        batches = new Batches(batching);
        latest = Math.max(0, context.checkpoint());
    }

    @Override
    public void write(T value) throws Exception {
        byte[] record = requests.encode(value);
        if (!batches.hasRoom(record)) {
            held.add(batches.take());
        }
        batches.add(record, null);
        if (batches.full()) {
            held.add(batches.take());
        }
    }

    @Override
    public byte[] save(long checkpoint) {
        // What is saved at the end belongs to a later checkpoint than any before, whose completion may still be told.
        long promisedBy = checkpoint == 0 ? latest + 1 : checkpoint;
        latest = Math.max(latest, checkpoint);
        if (!batches.isEmpty()) {
            held.add(batches.take());
        }
        held.forEach(each -> promised.add(new SavedOutput.Held(promisedBy, each)));
        held.clear();
        batches.beginInterval();
        return new SavedOutput(batches.lineage(), batches.interval(), promised).toBytes();
    }

    @Override
    public void commit(long checkpoint) throws InterruptedException {
        latest = Math.max(latest, checkpoint);
        sendUpTo(checkpoint);
    }

    private void sendUpTo(long checkpoint) throws InterruptedException {
        List<SavedOutput.Held> due = promised.stream()
                .filter(each -> each.checkpoint() <= checkpoint)
                .toList();
        for (SavedOutput.Held each : due) {
            sending.submit(each.batch());
        }
        sending.flush();
        promised.removeAll(due);
    }

    @Override
    public void restore(List<byte[]> saved) throws InterruptedException {
        Takeover.of(saved, batches, sending);
    }

    /** The job is over, in good order. */
    @Override
    public void finish() throws InterruptedException {
        save(0);
        sendUpTo(Long.MAX_VALUE);
    }

    @Override
    public void close() {
        sending.close();
    }
}
