// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.engine.ack.Pending;
import io.thalweg.engine.ack.Reports;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.queue.Batch;
import io.thalweg.engine.queue.Ring;
import io.thalweg.engine.stats.AckCounters;
import io.thalweg.run.Clock;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Tracks the records of one source task in a job that is acked: acked, failed, timed out, dropped after retries. */
public final class AckTracker implements Reports, Pending.Listener {
    private final TaskSplits splits;
    private final Frame frame;
    private final Pending pending;
    private final List<Ring> reports;
    private final AckCounters counters;
    private final Confirmations confirmations;
    private final Clock clock;

    /** When the job was cancelled; 0 if it was not. */
    private long stopsSinceNs;

    // Acked records with one due time, not counted yet.
    private long doneDueNs;
    private long doneRecords;

    /** @param reports queues of reports from downstream tasks */
    public AckTracker(
            TaskSplits splits,
            Frame frame,
            Pending pending,
            List<Ring> reports,
            AckCounters counters,
            Confirmations confirmations,
            Clock clock) {
        this.splits = splits;
        this.frame = frame;
        this.pending = pending;
        this.reports = reports;
        this.counters = counters;
        this.confirmations = confirmations;
        this.clock = clock;
    }

    Confirmations confirmations() {
        return confirmations;
    }

    Pending pending() {
        return pending;
    }

    /** Handles the reports since the last turn. */
    void listen() {
        for (Ring ring : reports) {
            for (Batch batch = ring.peek(); batch != null; batch = ring.peek()) {
                for (int i = 0; i < batch.size; i++) {
                    pending.report(batch.roots[i], batch.ids[i], this);
                }
                ring.release();
            }
        }
    }

    /** Handles records that failed or timed out. */
    void look() {
        long nowNs = clock.nowNs();
        pending.look(nowNs, this);
        count(nowNs);
    }

    /** The turn is over. */
    void endTurn() {
        count(clock.nowNs());
        counters.pending.setOpaque(pending.open());
    }

    /** True while a cancelled job has pending records, until the ack timeout has passed. */
    boolean waitsForOpen() {
        long nowNs = clock.nowNs();
        stopsSinceNs = stopsSinceNs == 0 ? nowNs : stopsSinceNs;
        return pending.open() > 0 && nowNs - stopsSinceNs < pending.timeoutNs();
    }

    /** Ignores further reports, so that tasks that wait to send one continue. */
    void close() {
        pending.close();
        listen();
    }

    @Override
    public void report(long root, long ids) {
        pending.report(root, ids, this);
    }

    @Override
    public void fail(long root, String where, String reason) {
        pending.fail(root, where, reason);
    }

    @Override
    public void done(Pending.Entry record) {
        if (record.dueNs() != doneDueNs) {
            count(clock.nowNs());
            doneDueNs = record.dueNs();
        }
        doneRecords++;
        confirmations.done(record);
    }

    private void count(long nowNs) {
        if (doneRecords > 0) {
            counters.onDone(nowNs - doneDueNs, doneRecords);
            doneRecords = 0;
        }
    }

    @Override
    public void failed() {
        counters.failed.setOpaque(counters.failed.getPlain() + 1);
    }

    @Override
    public void timedOut() {
        counters.timedOut.setOpaque(counters.timedOut.getPlain() + 1);
    }

    @Override
    public void givenUp(Pending.Entry record, String where, String reason) {
        counters.givenUp.setOpaque(counters.givenUp.getPlain() + 1);
        String why = "given up after " + record.times() + (record.times() == 1 ? " time" : " times") + ": " + reason
                + (where.isEmpty() ? "" : " (operator '" + where + "')");
        byte[] text = record.value().toString().getBytes(StandardCharsets.UTF_8);
        frame.givenUp(splits.operator(), new BadRecord(splits.name(record.split()), 0, record.position(), why, text));
        confirmations.done(record);
    }
}
