// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.SinkContext;
import java.util.List;

/**
 * Sends batches as records come; a checkpoint waits until all has arrived that came before it. After a failure some are sent a second
 * time.
 */
final class PlainWriter<T> implements CheckpointedWriter<T> {
    private final Requests<T> requests;
    private final Batches batches;
    private final RequestsInFlight sending;
    private final long waitMs;

    /** A record that is confirmed when {@link #write} returns must be there by then. */
    private final boolean eachAtOnce;

    /** When the batch has waited for long enough: {@link Long#MAX_VALUE} if it is empty, 0 if the clock is not known yet. */
    private long dueMs = Long.MAX_VALUE;

    PlainWriter(Requests<T> requests, Batching batching, RequestsInFlight sending, SinkContext context) {
        this.requests = requests;
        this.sending = sending;
        batches = new Batches(batching);
        waitMs = batching.flushInterval().toMillis();
        eachAtOnce = context.guarantee() == Guarantee.ACKED && context.checkpoint() == SinkContext.NO_CHECKPOINTS;
    }

    @Override
    public void write(T value) throws Exception {
        sending.listen();
        byte[] record = requests.encode(value);
        String key = requests.key(value);
        if (!batches.hasRoom(record)) {
            send();
        }
        batches.add(record, key);
        if (eachAtOnce) {
            flush();
        } else if (batches.full()) {
            send();
        } else if (dueMs == Long.MAX_VALUE) {
            dueMs = 0;
        }
    }

    private void send() throws InterruptedException {
        dueMs = Long.MAX_VALUE;
        if (!batches.isEmpty()) {
            sending.submit(batches.take());
        }
    }

    private void flush() throws InterruptedException {
        send();
        sending.flush();
    }

    @Override
    public long dueMs() {
        return sending.hasNews() ? 0 : dueMs;
    }

    @Override
    public void onClock(long epochMs) throws InterruptedException {
        sending.listen();
        if (dueMs == 0) {
            dueMs = epochMs + waitMs;
        }
        if (dueMs <= epochMs) {
            send();
        }
    }

    @Override
    public byte[] save(long checkpoint) throws InterruptedException {
        flush();
        batches.beginInterval();
        return new SavedOutput(batches.lineage(), batches.interval(), List.of()).toBytes();
    }

    /** What was sent stays, and what came after the checkpoint is sent once more. */
    @Override
    public void restore(List<byte[]> saved) throws InterruptedException {
        Takeover.of(saved, batches, sending);
    }

    @Override
    public void finish() throws InterruptedException {
        flush();
    }

    @Override
    public void close() {
        sending.close();
    }
}
