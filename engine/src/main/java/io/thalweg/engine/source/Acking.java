// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConfirmedReader;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.engine.ack.Anchor;
import io.thalweg.engine.ack.Pending;
import io.thalweg.engine.ack.Reports;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.queue.Batch;
import io.thalweg.engine.queue.Ring;
import io.thalweg.engine.stats.AckCounters;
import io.thalweg.run.Clock;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a source task does for its records until all that came of them is done, in a job that is acked. */
public final class Acking implements Reports, Pending.Listener {
    private static final long[] NO_TIMES = {};

    /** When what came of a record that is done is safe from a failure. */
    public enum Keeps {
        /** All sinks let it go at once. */
        NOTHING,
        BY_CHECKPOINT,
        /** Some sink shows it when the job ends. */
        UNTIL_THE_END
    }

    private final String operator;
    private final List<String> splits;
    private final Frame frame;
    private final Anchor anchor;
    private final Pending pending;
    private final List<Ring> reports;
    private final List<TimeReader> times;
    private final @Nullable Codec<Object> copies;
    private final AckCounters counters;
    private final Keeps keeps;
    private final Clock clock;

    /** By number of the split, those that want to know. */
    private final Map<Integer, ConfirmedReader<?>> confirmed = new HashMap<>();

    // What the records of this turn have in common.
    private int split;
    private long reached;
    private long sentNs;

    /** Those that are done since the last barrier, and those done before one, by its checkpoint. */
    private final List<Pending.Sent> untold = new ArrayList<>();

    private final TreeMap<Long, List<Pending.Sent>> untoldOf = new TreeMap<>();

    /** Since when the job is to stop; 0 if it is not. */
    private long stopsSinceNs;

    /** A record that was retried is on its way through the chain, with the time that it had. */
    private boolean again;

    // Those that are done and were due together, not counted yet.
    private long doneDueNs;
    private long doneRecords;

    /**
     * @param number of the task in the job
     * @param oneOfOne as {@link Anchor} has it
     * @param reports from the tasks that records go to
     * @param times of the task, once they are made
     * @param copies where records are ones that the source reuses
     * @param keeps the least safe of all sinks
     */
    public Acking(
            int number,
            String operator,
            List<String> splits,
            Frame frame,
            boolean oneOfOne,
            Pending pending,
            List<Ring> reports,
            List<TimeReader> times,
            @Nullable Codec<Object> copies,
            AckCounters counters,
            Keeps keeps,
            Clock clock) {
        this.keeps = keeps;
        this.operator = operator;
        this.splits = splits;
        this.frame = frame;
        this.pending = pending;
        this.reports = reports;
        this.times = times;
        this.copies = copies;
        this.counters = counters;
        this.clock = clock;
        anchor = new Anchor(number, oneOfOne, this);
    }

    public Anchor anchor() {
        return anchor;
    }

    /** The reader wants to know what becomes of its records. */
    void confirm(int number, ConfirmedReader<?> reader) {
        confirmed.put(number, reader);
    }

    /** A record that is done is safe at once: there are no checkpoints, and no sink holds it back. */
    boolean confirmsAtOnce() {
        return keeps == Keeps.NOTHING;
    }

    /** The readers are about to be closed. */
    void forgetReaders() {
        confirmed.clear();
    }

    /** True while the job stops and some records are not done, but for no longer than one may take. */
    boolean waitsForOpen() {
        long nowNs = clock.nowNs();
        stopsSinceNs = stopsSinceNs == 0 ? nowNs : stopsSinceNs;
        return pending.open() > 0 && nowNs - stopsSinceNs < pending.timeoutNs();
    }

    /** What is done so far belongs to a checkpoint. */
    void onSaved(long checkpoint) {
        if (!untold.isEmpty()) {
            untoldOf.computeIfAbsent(checkpoint, number -> new ArrayList<>()).addAll(untold);
            untold.clear();
        }
    }

    /** What was done up to a checkpoint is safe. */
    void tellUpTo(long completed) {
        Map<Long, List<Pending.Sent>> safe = untoldOf.headMap(completed, true);
        safe.values().forEach(each -> each.forEach(this::confirm));
        safe.clear();
    }

    /** How many more records may be sent. */
    int room() {
        return pending.room();
    }

    /** Those that were sent and are not done. */
    int open() {
        return pending.open();
    }

    /** Hears what became of records since the last turn. */
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

    /** Nobody needs to tell anything any more; who waits for room to do so goes on. */
    void close() {
        pending.close();
        listen();
    }

    /** Looks after records that failed, or took too long. */
    void look() {
        long nowNs = clock.nowNs();
        pending.look(nowNs, this);
        count(nowNs);
    }

    /** The records that follow are of this split, and were due with the frame's. */
    void begin(int number, long nowNs) {
        split = number;
        sentNs = nowNs;
        reached = Long.MAX_VALUE;
        for (TimeReader time : times) {
            long all = time.watermark(nowNs);
            reached = Math.min(reached, all == TimeReader.IDLE ? time.watermarkOf(number) : all);
        }
    }

    /** The turn is over. */
    void end() {
        count(clock.nowNs());
        counters.pending.setOpaque(pending.open());
    }

    /** A record begins its way, which stood at this position. */
    void send(Object value, long position) {
        long[] watermarks = NO_TIMES;
        if (!times.isEmpty()) {
            watermarks = new long[times.size()];
            for (int i = 0; i < watermarks.length; i++) {
                watermarks[i] = times.get(i).watermarkOf(split);
            }
        }
        Object kept = copies == null ? value : copies.copy(value);
        begin(new Pending.Sent(kept, split, position, watermarks, reached, 1, frame.dueNs, sentNs));
    }

    private void begin(Pending.Sent record) {
        long id = anchor.newId();
        anchor.begin(pending.send(record, id), id);
    }

    /** A record that is to be retried now; null if there is none. */
    Pending.@Nullable Sent again() {
        return pending.again(clock.nowNs());
    }

    /** Sends a record again, with the time that it had; {@link #sentAgain} follows. */
    Object sendAgain(Pending.Sent record) {
        frame.split = splits.get(record.split());
        frame.offset = record.position();
        frame.reader = null;
        frame.dueNs = record.dueNs();
        again = true;
        for (int i = 0; i < times.size(); i++) {
            times.get(i).beginAgain(record.split(), record.watermarks()[i]);
        }
        begin(record.again(clock.nowNs()));
        return copies == null ? record.value() : copies.copy(record.value());
    }

    /** All that came of the record retried has its time. */
    void sentAgain() {
        if (again) {
            again = false;
            for (TimeReader time : times) {
                time.endAgain();
            }
        }
    }

    /** The least that time may have reached, because of records that may come again; Long.MAX_VALUE for none. */
    long watermark() {
        return times.isEmpty() ? Long.MAX_VALUE : pending.reached();
    }

    /** The record of a split that stood first among those that are not done. */
    Pending.@Nullable Sent oldest(int number) {
        return pending.oldest(number);
    }

    /** When the next record will have taken too long; 0 for never. */
    long nextTimeoutNs() {
        return pending.nextTimeoutNs();
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
    public void done(Pending.Sent record) {
        if (record.dueNs() != doneDueNs) {
            count(clock.nowNs());
            doneDueNs = record.dueNs();
        }
        doneRecords++;
        tell(record);
    }

    private void tell(Pending.Sent record) {
        if (!confirmed.containsKey(record.split())) {
            return;
        }
        if (keeps == Keeps.BY_CHECKPOINT) {
            untold.add(record);
        } else {
            confirm(record);
        }
    }

    private void confirm(Pending.Sent record) {
        ConfirmedReader<?> reader = confirmed.get(record.split());
        if (reader instanceof BackgroundReader background && !background.wantsToKnow()) {
            return;
        }
        if (reader != null) {
            if (keeps == Keeps.UNTIL_THE_END) {
                throw new ConnectorException("operator '" + operator
                        + "': the source gives up records that are confirmed, and a sink of this job shows what it was"
                        + " given at the end only; give the job a directory for checkpoints");
            }
            try {
                reader.confirm(record.position());
            } catch (Exception e) {
                throw new ConnectorException(
                        "operator '" + operator + "', split '" + splits.get(record.split())
                                + "': the source failed to confirm the record at " + record.position() + ": " + e,
                        e);
            }
        }
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
    public void givenUp(Pending.Sent record, String where, String reason) {
        counters.givenUp.setOpaque(counters.givenUp.getPlain() + 1);
        String why = "given up after " + record.times() + (record.times() == 1 ? " time" : " times") + ": " + reason
                + (where.isEmpty() ? "" : " (operator '" + where + "')");
        byte[] text = record.value().toString().getBytes(StandardCharsets.UTF_8);
        frame.givenUp(operator, new BadRecord(splits.get(record.split()), 0, record.position(), why, text));
        tell(record);
    }
}
