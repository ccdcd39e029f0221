// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.engine.checkpoint.Barriers;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.checkpoint.TaskState;
import io.thalweg.engine.queue.Batch;
import io.thalweg.engine.stats.TaskCounters;
import io.thalweg.engine.work.Task;
import io.thalweg.engine.work.Turn;
import io.thalweg.run.Clock;
import java.util.function.Predicate;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/**
 * One task: an input, fused stages, outlets. Subclasses supply the input. Each turn first sends what waits in the
 * outputs, then advances the watermark, then takes input, so that nothing is read that could not be sent on.
 */
public abstract class ChainTask implements Task {
    /** The life cycle of a task, in this order. */
    private enum Phase {
        /** Stages are being opened. */
        OPENING,
        /** Other tasks are still opening, or restoring their outputs. */
        WAITING_FOR_OTHERS,
        RUNNING,
        /** The input has ended: the last watermark passes, stage by stage. */
        FINISHING,
        /** The outlets are emptied, and the end of input is sent. */
        ENDING,
        /** Sinks wait until all tasks are here, and then commit in order. */
        COMMITTING,
        ENDED
    }

    protected final Frame frame;
    protected final Clock clock;
    protected final TaskCounters counters;
    private final TaskParts parts;
    private final Stages stages;
    private final Outputs outputs;
    private final StageFlow flow;
    private final TaskMeter meter;

    /** The head of the chain; null unless it sends requests to the outside. */
    private final @Nullable Asynchronous requests;

    private Phase phase = Phase.OPENING;

    /** Also for those who watch the task. */
    private volatile boolean opening = true;

    /** In this turn, the task was opened. */
    private boolean openedInTurn;

    /** The checkpoint whose barrier has arrived on all inputs and is to be passed on; 0 if there is none. */
    private long barrier;

    /** Start of the alignment: when the first input was blocked for that barrier. */
    private long heldSinceNs;

    private long checkpointKnown;

    /** In this turn, processing-time timers were due. */
    private boolean firedByClock;

    /** The last turn took input, and found no room to let time advance. */
    private boolean watermarkOwed;

    /** Records were dropped because the job was cancelled, though the input may have ended: what comes out is not the whole. */
    private boolean cutShort;

    protected ChainTask(TaskParts parts) {
        this.parts = parts;
        frame = parts.frame();
        clock = parts.clock();
        counters = parts.counters();
        stages = new Stages(parts.stages(), parts.saving().input());
        outputs = new Outputs(parts.outlets());
        flow = new StageFlow(frame, stages, outputs);
        meter = new TaskMeter(parts, stages, outputs);
        requests = !parts.stages().isEmpty() && parts.stages().get(0) instanceof Asynchronous head ? head : null;
    }

    /** True if all tasks of an operator had finished at a checkpoint: they take no more input, and do not finish again. */
    public static boolean hadFinished(SavedState saved, String operator) {
        return Stages.finishedIn(saved, operator);
    }

    /** True if the input of all tasks that begin with this operator had ended at a checkpoint, for instance of a source. */
    public static boolean inputHadEnded(SavedState saved, String operator) {
        return Stages.inputOverIn(saved, operator);
    }

    /** Opens the input. */
    protected abstract void openInput() throws Exception;

    /** Called at the start of each turn, even if an output is full: for what must not wait for room. */
    protected void listen() {}

    /** Takes some input; returns BUSY, WAITING, or DONE if the input has ended. */
    protected abstract Turn takeInput() throws Exception;

    /** The watermark of all inputs, or {@link Batch#IDLE}. Never Long.MAX_VALUE, which follows the end of input. */
    protected abstract long inputWatermark();

    /** True if the input ended because the job was cancelled. */
    protected abstract boolean inputCancelled();

    protected abstract void closeInput() throws Exception;

    /** The input had ended before the checkpoint that the job continues from, and is not taken. */
    protected void onOverBefore() {}

    /** All checkpoints up to this one are complete. */
    protected void onInputSafe(long completed) {}

    /** No {@link #onInputSafe} will follow. */
    protected void releaseInput() throws Exception {}

    /** Saves how far the input was read. */
    protected abstract void saveInput(TaskState to) throws Exception;

    /** For subclasses: the barrier of a checkpoint has arrived on all inputs; it passes before more input is taken. */
    protected final void onBarrier(long checkpoint, long sinceNs) {
        barrier = checkpoint;
        heldSinceNs = sinceNs;
    }

    protected final boolean barrierPending() {
        return barrier != 0;
    }

    protected final @Nullable Barriers checkpoints() {
        return parts.saving().checkpoints();
    }

    protected final @Nullable Restored restored() {
        return parts.saving().restored();
    }

    public final String name() {
        return parts.name();
    }

    public abstract long queueDepth();

    public final @Nullable SingleWriterRecorder latencyUs() {
        return meter.latencyUs();
    }

    @Override
    public void onTurn(Turn turn, long tookNs) {
        if (openedInTurn) {
            openedInTurn = false;
            counters.onOpened(tookNs);
            return;
        }
        counters.onTurn(
                switch (turn) {
                    case BUSY, DONE -> counters.busyNs;
                    case WAITING -> counters.waitingNs;
                    case HELD_BACK -> counters.heldBackNs;
                },
                tookNs);
    }

    @Override
    public final void onRest(long restedNs) {
        counters.onRest(restedNs);
    }

    @Override
    public final void onSlowTurn() {
        counters.onSlowTurn();
    }

    public final TaskCounters counters() {
        return counters;
    }

    @Override
    public final boolean blocking() {
        return parts.blocking();
    }

    @Override
    public final boolean opening() {
        return opening;
    }

    @Override
    public final Turn call() throws Exception {
        listen();
        if (frame.blocked && parts.agreement().dropping()) {
            dropHeld();
        }
        frame.turn.begin();
        Turn turn = turn();
        return frame.turn.isOver() && turn != Turn.DONE ? Turn.BUSY : turn;
    }

    private Turn turn() throws Exception {
        return switch (phase) {
            case OPENING -> open();
            case WAITING_FOR_OTHERS -> await();
            case RUNNING -> runOn();
            case FINISHING -> finish();
            case ENDING -> end();
            case COMMITTING -> commit();
            case ENDED -> Turn.DONE;
        };
    }

    /** The job was cancelled, and its time is over: what waits for room or for this turn may be without end. */
    private void dropHeld() {
        onDropped(stages.drop());
        flow.abandon();
        if (phase == Phase.FINISHING) {
            cutShort = true;
            phase = Phase.ENDING;
        }
    }

    /** For subclasses: records in flight were dropped, because the job was cancelled and its time is over. */
    protected final void onDropped(long records) {
        parts.agreement().dropped(name(), records);
        cutShort |= records > 0;
    }

    private boolean cancelled() {
        return cutShort || inputCancelled();
    }

    private Turn open() throws Exception {
        openedInTurn = true;
        stages.open();
        Restored restored = parts.saving().restored();
        if (restored != null) {
            stages.restore(restored, frame);
            SavedCounts.restore(parts.saving().input(), restored, counters);
        }
        if (!stages.inputOverBefore()) {
            openInput();
        }
        opening = restored != null;
        parts.agreement().opened();
        phase = Phase.WAITING_FOR_OTHERS;
        return Turn.BUSY;
    }

    private Turn await() throws Exception {
        if (!parts.agreement().allOpened()) {
            return Turn.WAITING;
        }
        Restored restored = parts.saving().restored();
        if (opening && restored != null) {
            openedInTurn = true;
            stages.restoreOutputs(restored);
            opening = false;
            parts.agreement().outputsRestored();
        }
        if (restored != null && !parts.agreement().allOutputsRestored()) {
            return Turn.WAITING;
        }
        flow.sendWatermark(); // the restored one
        if (stages.inputOverBefore()) {
            onOverBefore();
            flow.beginFinish();
        }
        phase = stages.inputOverBefore() ? Phase.FINISHING : Phase.RUNNING;
        return Turn.BUSY;
    }

    private TaskState save(long checkpoint, boolean finished) throws Exception {
        meter.flush();
        TaskState state = new TaskState(name(), checkpoint);
        SavedCounts.save(parts.saving().input(), counters, state);
        saveInput(state);
        stages.save(state, frame.watermark, finished);
        return state;
    }

    /** Saves the state of the stages and sends the barrier on; false if there is no room yet. */
    private boolean passBarrier() throws Exception {
        Barriers checkpoints = checkpoints();
        if (barrier == 0 || checkpoints == null) {
            return true;
        }
        if (barrier <= checkpoints.abandoned()) {
            barrier = 0;
            return true;
        }
        stages.settle();
        if (frame.blocked || flow.advancing() || (requests != null && requests.holdsBarrier())) {
            return false;
        }
        flow.beginAtBarrier(watermark()); // so that all tasks behind a grouping save at the same watermark
        if (!flow.advance() || frame.blocked) {
            return false;
        }
        if (frame.poisonRecords != null) {
            frame.poisonRecords.settle();
        }
        long beganNs = clock.nowNs();
        TaskState state = save(barrier, false);
        long pausedNs = clock.nowNs() - beganNs;
        outputs.barrier(barrier);
        barrier = 0;
        handOver(state, beganNs - heldSinceNs, pausedNs);
        return true;
    }

    /** Hands over the state of a barrier that has passed. A subclass may do so later, when it has added to the state. */
    protected void handOver(TaskState state, long heldNs, long pausedNs) {
        Barriers checkpoints = checkpoints();
        if (checkpoints != null) {
            checkpoints.save(parts.saving().number(), state, heldNs, pausedNs);
        }
    }

    private void handleCompletedCheckpoints() throws Exception {
        Barriers checkpoints = checkpoints();
        if (checkpoints != null && checkpoints.completed() > checkpointKnown) {
            long completed = checkpoints.completed();
            checkpointKnown = completed;
            onInputSafe(completed);
            stages.each(stage -> stage.onCheckpoint(completed));
        }
    }

    private Turn runOn() throws Exception {
        handleCompletedCheckpoints();
        if (!flow.makeRoom() || !advance() || !emitAnswers() || !passBarrier()) {
            return holdBack();
        }
        if (!fireProcessingTimers()) {
            return holdBack();
        }
        Turn turn = takeInput();
        stages.settle();
        PoisonRecords poisonRecords = frame.poisonRecords;
        if (poisonRecords != null) {
            poisonRecords.judge();
            if (turn == Turn.DONE && requestsHeld() == 0) {
                poisonRecords.settle();
            }
        }
        watermarkOwed = frame.blocked;
        if (!frame.blocked) {
            flow.begin(watermark());
            flow.advance();
        }
        passBarrier();
        outputs.flush(turn != Turn.BUSY);
        meter.flush();
        meter.measureState(turn == Turn.DONE);
        if (turn == Turn.DONE && barrierPending()) {
            return Turn.HELD_BACK; // takeInput returns DONE again
        }
        if (turn == Turn.DONE && requestsHeld() > 0) {
            return Turn.WAITING; // takeInput returns DONE again
        }
        if (turn == Turn.DONE) {
            phase = cancelled() ? Phase.ENDING : Phase.FINISHING;
            flow.beginFinish();
            return Turn.BUSY;
        }
        return firedByClock ? Turn.BUSY : turn; // there may be more of them than one turn fires
    }

    /**
     * Lets time advance to where the last turn brought it; false if an output is full. Behind a slow task every turn may end
     * without room: windows would hardly ever fire.
     */
    private boolean advance() throws Exception {
        if (watermarkOwed && flow.advance() && !frame.blocked) {
            watermarkOwed = false;
            flow.begin(watermark());
        }
        return flow.advance();
    }

    /** Fires processing-time timers; false if an output is full. */
    private boolean fireProcessingTimers() throws Exception {
        firedByClock = false;
        long dueMs = stages.dueMs();
        if (dueMs == Long.MAX_VALUE) {
            return true;
        }
        long nowMs = clock.epochMs();
        if (dueMs <= nowMs) {
            firedByClock = true;
            stages.each(stage -> stage.onClock(nowMs));
        }
        return !frame.blocked;
    }

    /** Takes no input in this turn. Emits answers, if there is room. */
    private Turn holdBack() throws Exception {
        stages.settle();
        boolean waits = requests != null && !frame.blocked;
        if (waits || frame.turn.isOver()) {
            outputs.flush(waits);
        }
        meter.flush();
        return waits ? Turn.WAITING : Turn.HELD_BACK;
    }

    /** Emits answers and advances the watermark behind them; false if no new request may be sent. */
    private boolean emitAnswers() throws Exception {
        if (requests == null) {
            return true;
        }
        if (parts.agreement().dropping() && requests.held() > 0) {
            onDropped(requests.drop());
        }
        requests.emit(dueNs -> meter.onLatency(1, dueNs));
        if (frame.blocked) {
            return false;
        }
        if (requests.held() > 0) {
            flow.takeBackIdle(); // downstream tasks must wait for the records in flight
        }
        flow.begin(watermark());
        return flow.advance() && !requests.full();
    }

    /** For subclasses: records of another place follow. */
    protected final void settle() throws Exception {
        stages.settle();
    }

    /** True if as many records are in flight as may be. */
    protected final boolean requestsFull() {
        return requests != null && requests.full();
    }

    /**
     * For subclasses: advances stages to the end of time for a round of a loop; false if it must be called again.
     *
     * @param which by the names of their operators
     */
    protected final boolean advanceToEnd(Predicate<String> which) throws Exception {
        return flow.advanceToEnd(which);
    }

    /** Records that wait for answers, or that the operator's threads hold. */
    protected final long requestsHeld() {
        return requests == null ? 0 : requests.held();
    }

    /** The watermark of the inputs, held back by records in flight. */
    private long watermark() {
        return requests == null ? inputWatermark() : requests.passed(inputWatermark());
    }

    @Override
    public long nextDueNs() {
        long ofRequests = requests == null ? 0 : requests.nextDueNs();
        long dueMs = stages.dueMs();
        if (dueMs == Long.MAX_VALUE || frame.blocked) {
            return ofRequests;
        }
        long waitMs = Math.min(Math.max(0, dueMs - clock.epochMs()), LONGEST_WAIT_MS);
        return earlier(ofRequests, clock.nowNs() + waitMs * NS_PER_MS);
    }

    /** The earlier of two times of the engine's clock; 0 stands for none. */
    protected static long earlier(long oneNs, long otherNs) {
        return otherNs != 0 && (oneNs == 0 || otherNs - oneNs < 0) ? otherNs : oneNs;
    }

    private Turn finish() throws Exception {
        boolean finished = flow.finish();
        if (!finished) {
            return holdBack();
        }
        meter.flush();
        phase = Phase.ENDING;
        return Turn.BUSY;
    }

    private Turn end() throws Exception {
        if (!flow.makeRoom() || (requests != null && !requests.emitLast()) || frame.blocked) {
            return Turn.HELD_BACK;
        }
        meter.flush();
        parts.agreement().ending();
        Barriers checkpoints = checkpoints();
        if (checkpoints != null && !cancelled()) {
            checkpoints.end(parts.saving().number(), save(0, true));
        }
        outputs.end(cancelled());
        stages.each(stage -> stage.prepare(cancelled()));
        meter.flush();
        closeInput();
        parts.agreement().drained();
        phase = Phase.COMMITTING;
        return Turn.BUSY;
    }

    private Turn commit() throws Exception {
        boolean mayCommit = parts.agreement().mayCommit(this);
        handleCompletedCheckpoints(); // after asking, so that no completion in between is missed
        if (!mayCommit) {
            return Turn.WAITING;
        }
        stages.each(stage -> stage.commit(cancelled()));
        meter.flush(); // some records turn out to be bad only on commit
        parts.agreement().committed(this);
        releaseInput();
        stages.close();
        phase = Phase.ENDED;
        return Turn.DONE;
    }

    @Override
    public final void abandon() {
        if (phase == Phase.ENDED) {
            return;
        }
        phase = Phase.ENDED;
        close(meter::flush);
        close(this::closeInput);
        close(this::releaseInput);
        close(stages::close);
    }

    private interface Closing {
        void close() throws Exception;
    }

    private static void close(Closing part) {
        try {
            part.close();
        } catch (Exception | Error e) {
            // the job has failed already, and reports that failure
        }
    }

    /** For subclasses: this many records were read, the first of them due at {@code dueNs}; 0 if that is unknown. */
    protected final void onInput(long records, long dueNs) {
        meter.onInput(records);
        if (requests == null && TaskCounters.ON) {
            meter.onLatency(records, dueNs);
        }
    }

    private static final long NS_PER_MS = 1_000_000;

    /** The system clock may be set, so it is read at least this often. */
    private static final long LONGEST_WAIT_MS = 1_000;
}
