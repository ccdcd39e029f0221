// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkReports;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.operator.ConnectionReports;
import io.thalweg.flink.report.AllOpened;
import io.thalweg.flink.report.Printed;
import io.thalweg.flink.report.Reports;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;
import org.apache.flink.runtime.operators.coordination.OperatorEventGateway;
import org.apache.flink.runtime.operators.coordination.OperatorEventHandler;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.graph.StreamConfig;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.apache.flink.streaming.runtime.tasks.StreamTask;
import org.apache.flink.streaming.runtime.tasks.mailbox.TaskMailbox;
import org.apache.flink.util.clock.SystemClock;
import org.jspecify.annotations.Nullable;

/**
 * A sink. In a job with checkpoints it uses two-phase commit: what it saved at a barrier is committed when Flink
 * notifies that the checkpoint is complete. At the end of its input it waits for a last checkpoint; without checkpoints, until the
 * writers of all tasks are prepared.
 */
public final class SinkStage extends OneInput implements OperatorEventHandler {
    private static final long serialVersionUID = 1L;

    private final Sink<Object> sink;
    private final Type<Object> type;
    private transient @Nullable SinkWriter<Object> writer;
    private transient @Nullable ListState<byte[]> saved;
    private transient @Nullable ListState<Long> passedKept;
    private transient @Nullable LongCounter passed;
    private transient long restoredFrom;

    /** Until its output is restored; null if it is, or need not be. */
    private transient @Nullable CheckpointedWriter<Object> unrestored;

    private transient boolean inputEnded;
    private transient boolean finished;
    private transient @Nullable ScheduledFuture<?> timer;
    private transient long timerMs;

    /** To the coordinator of the sink; null in a job with checkpoints. */
    private transient @Nullable OperatorEventGateway gateway;

    private transient boolean mayCommit;

    /** The first checkpoint that holds the end of the input. */
    private transient long endSavedAt;

    public SinkStage(StageSettings settings, Sink<Object> sink, Type<Object> type) {
        super(settings);
        this.sink = sink;
        this.type = type;
    }

    /** Has the tasks commit together, through a coordinator. Before the sink opens. */
    void coordinated(OperatorEventGateway to) {
        gateway = to;
    }

    /** For the factory. */
    @Override
    protected void setup(StreamTask<?, ?> containingTask, StreamConfig config, Output<StreamRecord<Object>> output) {
        super.setup(containingTask, config, output);
    }

    /** For the factory. */
    @Override
    protected void setProcessingTimeService(ProcessingTimeService service) {
        super.setProcessingTimeService(service);
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        endSavedAt = Long.MAX_VALUE;
        OptionalLong restored = context.getRestoredCheckpointId();
        restoredFrom = settings.checkpoints() ? restored.orElse(0) : SinkContext.NO_CHECKPOINTS;
        if (settings.checkpoints()) {
            saved = context.getOperatorStateStore()
                    .getListState(new ListStateDescriptor<>("writer", BytePrimitiveArraySerializer.INSTANCE));
            passedKept = counts(context, "passed");
        }
    }

    @Override
    void begin() throws Exception {
        LongCounter counter = reports()
                .passing(getRuntimeContext(), metrics.getIOMetricGroup().getNumRecordsInCounter());
        passed = counter;
        if (passedKept != null) {
            counter.add(sum(passedKept));
        }
        Printed printed = new Printed(task(), getRuntimeContext().getTaskInfo().getAttemptNumber(), tasks());
        String name = settings.place().operator();
        getRuntimeContext().addAccumulator(Reports.PRINTED + name, printed);
        try {
            SinkWriter<Object> made = sink.open(new SinkContext(
                    settings.place().topology(),
                    name,
                    task(),
                    getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks(),
                    printed.stream(),
                    type.codec(),
                    settings.guarantee(),
                    restoredFrom,
                    getRuntimeContext().getJobInfo().getJobId().toHexString(),
                    new WriterReports(reports(), counter)));
            writer = made;
            if (settings.checkpoints()) {
                check(made);
                if (made instanceof CheckpointedWriter<?>) {
                    checkDeclared(Set.of("output of a sink"));
                }
                restoreInTime(made);
            }
        } catch (Throwable thrown) {
            throw failure(thrown);
        }
    }

    @Override
    @Nullable Set<String> states() {
        return null; // those that its writer has
    }

    private record WriterReports(Reports reports, LongCounter passed) implements SinkReports {
        @Override
        public void bad(BadRecord record) {
            passed.add(-1); // counted as it came
            reports.bad(record);
        }

        @Override
        public void warn(String message) {
            reports.warn("operator '" + reports.operator() + "': " + message);
        }

        @Override
        public ConnectionReports connections() {
            return reports.connections();
        }

        @Override
        public long nowNs() {
            return SystemClock.getInstance().relativeTimeNanos();
        }
    }

    private void check(SinkWriter<Object> made) {
        if (!sink.immediate() && !(made instanceof CheckpointedWriter<?>)) {
            throw new ConnectorException("the sink " + sink.name()
                    + " cannot continue from a checkpoint, so the guarantee would not hold; its writer is not a"
                    + " CheckpointedWriter");
        }
    }

    /** The output of a job that is restored is changed only when all tasks have opened; this one opens before others of its chain. */
    @SuppressWarnings("FutureReturnValueIgnored") // if it fails, Flink fails the task
    private void restoreInTime(SinkWriter<Object> made) throws Exception {
        if (!(made instanceof CheckpointedWriter<Object> checkpointed) || restoredFrom <= 0) {
            return;
        }
        AllOpened all = settings.allOpened();
        if (all == null || all.checkpoint() != restoredFrom) {
            restore(checkpointed);
            return;
        }
        unrestored = checkpointed;
        ProcessingTimeService clock = getProcessingTimeService();
        clock.registerTimer(clock.getCurrentProcessingTime(), at -> awaitRestored());
    }

    /** Before anything is written or saved: waits until all tasks have opened, and restores the output. */
    private void awaitRestored() throws Exception {
        CheckpointedWriter<Object> checkpointed = unrestored;
        AllOpened all = settings.allOpened();
        if (checkpointed == null || all == null) {
            return;
        }
        all.await(getRuntimeContext());
        unrestored = null;
        try {
            restore(checkpointed);
        } catch (Throwable thrown) {
            throw failure(thrown);
        }
    }

    private void restore(CheckpointedWriter<Object> checkpointed) throws Exception {
        List<byte[]> pieces = new ArrayList<>();
        opened(saved).get().forEach(pieces::add);
        checkpointed.restore(pieces);
    }

    @Override
    void accept(Object value) throws Exception {
        awaitRestored();
        try {
            opened(writer).write(value);
        } catch (Throwable thrown) {
            onThrown(thrown);
        }
        setTimer();
    }

    /** Sets a timer for what the writer does periodically. */
    private void setTimer() {
        long dueMs = opened(writer).dueMs();
        if (timer != null && timerMs <= dueMs) {
            return; // an earlier timer will set the next one
        }
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
        if (dueMs != Long.MAX_VALUE) {
            timerMs = dueMs;
            timer = getProcessingTimeService()
                    .registerTimer(
                            Math.max(dueMs, getProcessingTimeService().getCurrentProcessingTime()), this::onTimer);
        }
    }

    private void onTimer(long atMs) {
        timer = null;
        try {
            if (!finished && opened(writer).dueMs() <= atMs) {
                opened(writer).onClock(atMs);
            }
        } catch (Throwable thrown) {
            throw failure(thrown);
        }
        setTimer();
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        awaitRestored();
        super.snapshotState(context);
        if (passedKept != null) {
            passedKept.update(List.of(opened(passed).getLocalValuePrimitive()));
        }
        if (saved != null && writer instanceof CheckpointedWriter<Object> checkpointed) {
            try {
                saved.update(List.of(checkpointed.save(inputEnded ? 0 : context.getCheckpointId())));
                if (inputEnded) {
                    endSavedAt = Math.min(endSavedAt, context.getCheckpointId());
                }
            } catch (Throwable thrown) {
                throw failure(thrown);
            }
        }
    }

    @Override
    public void finish() throws Exception {
        awaitRestored();
        super.finish();
        inputEnded = true;
        if (gateway != null) {
            prepareWriter(gateway);
        }
        if (!(settings.checkpoints() && writer instanceof CheckpointedWriter<Object>)) {
            finishWriter();
        }
    }

    /** Waits until those of all tasks are prepared. */
    private void prepareWriter(OperatorEventGateway coordinator) throws InterruptedException {
        try {
            opened(writer).prepare();
        } catch (Throwable thrown) {
            throw failure(thrown);
        }
        coordinator.sendEventToCoordinator(new CommitTogether.Prepared());
        MailboxExecutor mailbox =
                getContainingTask().getMailboxExecutorFactory().createExecutor(TaskMailbox.MIN_PRIORITY);
        while (!mayCommit) {
            mailbox.yield();
        }
    }

    /** All tasks are prepared. */
    @Override
    public void handleOperatorEvent(OperatorEvent event) {
        mayCommit = true;
    }

    /**
     * Commits what was written before the checkpoint. After that of the checkpoint behind the last record, the task may
     * end.
     */
    @Override
    public void notifyCheckpointComplete(long checkpoint) throws Exception {
        super.notifyCheckpointComplete(checkpoint);
        if (!(writer instanceof CheckpointedWriter<Object> checkpointed) || finished) {
            return;
        }
        try {
            checkpointed.commit(checkpoint);
        } catch (Throwable thrown) {
            throw failure(thrown);
        }
        if (inputEnded && checkpoint >= endSavedAt) {
            finishWriter();
        }
    }

    private void finishWriter() {
        finished = true;
        try {
            opened(writer).finish();
        } catch (Throwable thrown) {
            throw failure(thrown);
        }
    }

    @Override
    public void close() throws Exception {
        try {
            if (writer != null) {
                writer.close();
            }
        } finally {
            super.close();
        }
    }
}
