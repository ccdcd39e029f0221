// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.graph.AsyncMap;
import io.thalweg.api.graph.HeldRecords;
import io.thalweg.api.graph.Lookup;
import io.thalweg.api.operator.AsyncOperator;
import io.thalweg.api.operator.OperatorContext;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.util.clock.SystemClock;
import org.jspecify.annotations.Nullable;

/**
 * Sends a request to the outside for each record, with many requests in flight. Answers return to the task's thread
 * through its mailbox. It heads a chain, so that its records are never reused. Checkpoints, the end of input and
 * idleness wait until all records are answered.
 */
public abstract class AsyncRequests extends OneInput {
    private static final long serialVersionUID = 1L;

    /** @param key of Flink; null if the records have none */
    private record Waiting(
            Object value, long time, long stamp, @Nullable Object key) {}

    private final AsyncMap.Options options;

    private transient @Nullable HeldRecords<Waiting> records;
    private transient @Nullable MailboxExecutor mailbox;
    private transient @Nullable ScheduledFuture<?> timer;
    private transient long timerNs;

    /** The watermark of the input. */
    private transient long reached;

    /** A mail is in the mailbox; it will handle all answers that arrive until then. */
    private transient AtomicBoolean called;

    AsyncRequests(StageSettings settings, AsyncMap.Options options) {
        super(settings);
        this.options = options;
        called = new AtomicBoolean();
    }

    @Override
    void begin() throws Exception {
        reached = OperatorContext.NO_TIME;
        called = new AtomicBoolean();
        mailbox = getContainingTask()
                .getMailboxExecutorFactory()
                .createExecutor(getOperatorConfig().getChainIndex());
        StageContext around = new StageContext(this, null);
        HeldRecords<Waiting> made = new HeldRecords<>(
                operator(), around, options, SystemClock.getInstance()::relativeTimeNanos, this::call, this::enter);
        records = made;
        try {
            made.open();
        } catch (Throwable thrown) {
            throw failure(thrown);
        }
        around.opening = false;
    }

    /** A new operator, for this task. */
    abstract AsyncOperator<Object, Object> operator();

    /** What is emitted for a record and its answer; null for nothing. Of a keyed stream, the current key is that of the record. */
    abstract @Nullable Object emitted(Object value, @Nullable Object answer) throws Exception;

    private HeldRecords<Waiting> records() {
        return opened(records);
    }

    /** Any thread. */
    private void call() {
        if (called.compareAndSet(false, true)) {
            try {
                opened(mailbox).execute(this::emitAnswers, "answers of a lookup");
            } catch (RejectedExecutionException e) {
                // the task has ended
            }
        }
    }

    @Override
    void accept(Object value) throws Exception {
        Waiting record = new Waiting(value, time, stamp, settings.keyed() ? getCurrentKey() : null);
        while (records().full()) {
            opened(mailbox).yield();
        }
        enter(record); // answers may have been emitted meanwhile
        Lookup<Waiting> lookup;
        try {
            lookup = records().lookUp(value);
        } catch (Throwable thrown) {
            onThrown(thrown);
            return;
        }
        records().add(record, lookup);
        if (lookup.done()) {
            emitAnswers(); // the answer is in the cache
        } else {
            setTimer();
        }
    }

    /** The record is in hand, with its time and its key. */
    private void enter(Waiting record) {
        time = record.time();
        stamp = record.stamp();
        if (record.key() != null) {
            setCurrentKey(record.key());
        }
    }

    /** Emits answers and advances the watermark behind them. */
    private void emitAnswers() throws Exception {
        called.set(false);
        records().hear();
        for (HeldRecords.Held<Waiting> held = records().poll();
                held != null;
                held = records().poll()) {
            enter(held.record());
            handOn(held);
        }
        passOn();
        setTimer();
    }

    private void handOn(HeldRecords.Held<Waiting> held) throws Exception {
        @Nullable Object result;
        try {
            result = emitted(held.record().value(), held.result());
        } catch (Throwable thrown) {
            onThrown(thrown);
            return;
        }
        if (result != null) {
            emit(result);
        }
    }

    /** Sets a timer for the next timeout or retry. */
    private void setTimer() {
        long dueNs = records().nextDueNs();
        if (timer != null && dueNs != 0 && timerNs - dueNs <= 0) {
            return; // an earlier timer will set the next one
        }
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
        if (dueNs != 0) {
            timerNs = dueNs;
            long afterMs = 1
                    + Math.max(
                            0,
                            TimeUnit.NANOSECONDS.toMillis(
                                    dueNs - SystemClock.getInstance().relativeTimeNanos()));
            timer = getProcessingTimeService()
                    .registerTimer(getProcessingTimeService().getCurrentProcessingTime() + afterMs, at -> onTimer());
        }
    }

    private void onTimer() throws Exception {
        timer = null;
        emitAnswers();
    }

    private void drain() throws Exception {
        while (records().held() > 0) {
            opened(mailbox).yield();
        }
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        if (mark.getTimestamp() == Long.MAX_VALUE) {
            drain();
        }
        reached = mark.getTimestamp();
        passOn();
    }

    private void passOn() throws Exception {
        long to = records().passed(reached);
        if (to > forwarded) {
            super.processWatermark(new Watermark(to));
            onPassed(to);
        }
    }

    /** A watermark was passed on, behind records in flight. */
    void onPassed(long watermark) {}

    /** Idleness is not passed on while records are in flight. */
    @Override
    public void processWatermarkStatus(WatermarkStatus status) throws Exception {
        if (status.isIdle()) {
            drain();
        }
        super.processWatermarkStatus(status);
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpoint) throws Exception {
        super.prepareSnapshotPreBarrier(checkpoint);
        drain();
    }

    @Override
    public void finish() throws Exception {
        drain();
        super.finish();
    }

    @Override
    public void close() throws Exception {
        try {
            if (records != null) {
                records.close();
            }
        } finally {
            super.close();
        }
    }
}
