// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.graph.HeldRecords;
import io.thalweg.api.graph.Lookup;
import io.thalweg.api.operator.JoinFunction;
import io.thalweg.api.stats.StateStats;
import io.thalweg.engine.ack.Anchor;
import io.thalweg.engine.chain.Asynchronous;
import io.thalweg.engine.chain.Count;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.OperatorException;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.TaskState;
import io.thalweg.engine.queue.Batch;
import io.thalweg.run.JobFailedException;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Holds records while their lookups are in flight, and emits what comes of them. State per key is kept by {@link AsyncKeys}. */
final class AsyncStage implements Receiver, Asynchronous {
    /**
     * A record that waits for its lookup, with what the frame said of it.
     *
     * @param id one that waits counts as a record of its own in the tree of its root
     */
    record Waiting(Object value, long time, long stamp, String split, long offset, long dueNs, long root, long id) {
        /** It is the current record of its task. */
        void enter(Frame frame) {
            frame.time = time;
            frame.stamp = stamp;
            frame.split = split;
            frame.offset = offset;
            frame.dueNs = dueNs;
        }
    }

    private final String name;
    private final Frame frame;
    private final HeldRecords<Waiting> records;
    private final @Nullable JoinFunction<Object, Object, Object> function;
    private final @Nullable AsyncKeys keys;
    private final Count.Passed passed;
    private final Receiver next;

    /**
     * @param function see {@link io.thalweg.api.graph.AsyncMap#function}
     * @param keys null if the operator has no state
     * @param passed counts records that the operator is done with
     */
    AsyncStage(
            String name,
            Frame frame,
            HeldRecords<Waiting> records,
            @Nullable JoinFunction<Object, Object, Object> function,
            @Nullable AsyncKeys keys,
            Count.Passed passed,
            Receiver next) {
        this.name = name;
        this.frame = frame;
        this.records = records;
        this.function = function;
        this.keys = keys;
        this.passed = passed;
        this.next = next;
    }

    @Override
    public String operator() {
        return name;
    }

    @Override
    public void open() throws Exception {
        try {
            records.open();
        } catch (Exception e) {
            throw new OperatorException(name, frame.split, frame.offset, e);
        }
    }

    @Override
    public void accept(Object value) throws Exception {
        Lookup<Waiting> lookup;
        try {
            lookup = records.lookUp(value);
        } catch (Throwable thrown) {
            onThrown(thrown);
            return;
        }
        checkCountedBad();
        Anchor anchor = frame.anchor;
        Waiting record = new Waiting(
                value,
                frame.time,
                frame.stamp,
                frame.split,
                frame.offset,
                frame.dueNs,
                anchor == null ? 0 : anchor.root(),
                anchor == null ? 0 : anchor.next());
        records.add(record, lookup);
        frame.blocked |= full();
    }

    @Override
    public void emit(LongConsumer onEmitted) throws Exception {
        if (held() == 0) {
            return;
        }
        records.hear();
        checkCountedBad();
        for (boolean goesOn = !frame.blocked; goesOn; goesOn = !frame.pauses()) {
            HeldRecords.Held<Waiting> first = records.poll();
            if (first == null) {
                return;
            }
            emit(first);
            onEmitted.accept(first.record().dueNs());
        }
    }

    private void emit(HeldRecords.Held<Waiting> held) throws Exception {
        Waiting record = held.record();
        record.enter(frame);
        Anchor anchor = frame.anchor;
        if (anchor != null) {
            anchor.begin(record.root(), record.id());
        }
        try {
            handOn(held);
            passed.records++;
        } catch (OperatorException e) {
            frame.onFailure(e, record.value());
        }
        if (anchor != null) {
            anchor.end();
        }
    }

    private void handOn(HeldRecords.Held<Waiting> held) throws Exception {
        @Nullable Object result;
        try {
            result = held.result();
            if (function != null) {
                result = function.apply(held.record().value(), result);
            }
        } catch (Throwable thrown) {
            onThrown(thrown);
            return;
        }
        checkCountedBad();
        if (result != null) {
            next.accept(result);
        }
    }

    private void onThrown(Throwable thrown) throws OperatorException {
        checkCountedBad();
        frame.onThrown(name, thrown);
    }

    /** A record that the operator has counted as bad may fail the job, whatever the operator, or a retry, made of it. */
    private void checkCountedBad() throws OperatorException {
        Throwable failed = frame.failedBehind;
        if (failed == null) {
            return;
        }
        frame.failedBehind = null;
        if (failed instanceof JobFailedException failure) {
            throw failure;
        }
        frame.onThrown(name, failed);
    }

    @Override
    public int held() {
        return records.held();
    }

    @Override
    public boolean full() {
        return records.full();
    }

    @Override
    public int drop() {
        return records.drop();
    }

    @Override
    public long passed(long reached) {
        if (reached != Batch.IDLE) {
            return records.passed(reached);
        }
        return held() == 0 ? reached : records.passed(Batch.NO_WATERMARK);
    }

    /** Without room there is nothing to do but to wait for it. */
    @Override
    public long nextDueNs() {
        return frame.blocked ? 0 : records.nextDueNs();
    }

    /** Removes state that has expired. No record comes that could see it: time goes on only behind those in flight. */
    @Override
    public boolean advance(long watermark) {
        return keys == null
                || !keys.context().advance(watermark)
                || keys.context().cleanTo(watermark);
    }

    @Override
    public void endRound() {
        if (keys != null) {
            keys.context().endRound();
        }
    }

    @Override
    public long dueMs() {
        return keys == null ? Long.MAX_VALUE : keys.context().processingExpiries.dueAt();
    }

    @Override
    public void onClock(long epochMs) {
        if (keys != null) {
            keys.context().cleanAt(epochMs);
        }
    }

    /** No record is in flight. */
    @Override
    public void save(TaskState to) {
        if (keys != null) {
            keys.context().save(to);
        }
    }

    @Override
    public void restore(Restored from) {
        if (keys != null) {
            keys.context().restore(from);
        }
    }

    @Override
    public @Nullable StateStats stateStats() {
        return keys == null ? null : keys.context().stateStats();
    }

    @Override
    public void close() throws Exception {
        records.close();
    }
}
