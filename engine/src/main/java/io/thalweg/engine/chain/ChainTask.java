// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.engine.checkpoint.Barriers;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.TaskState;
import io.thalweg.engine.queue.Batch;
import io.thalweg.engine.stats.TaskCounters;
import io.thalweg.engine.work.Task;
import io.thalweg.engine.work.Turn;
import io.thalweg.run.Clock;
import java.util.List;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/**
 * One task: an input, fused stages, outlets. Subclasses bring the input. Each turn makes room first, then lets time go
 * on, then takes input, so that nothing is taken in that could not go out.
 */
public abstract class ChainTask implements Task {
    /** Life of a task, in this order. */
    private enum Phase {
        /** Stages are to be opened. */
        OPENING,
        /** Other tasks are still opening. */
        WAITING_FOR_OTHERS,
        RUNNING,
        /** All input has come: the last watermark passes, stage by stage. */
        FINISHING,
        /** What is in the outlets goes out, and the end behind it. */
        ENDING,
        /** Sinks wait until all tasks have come so far, and for their turn. */
        COMMITTING,
        ENDED
    }

    /** What the tasks of a job agree on. */
    public interface Agreement {
        void opened();

        boolean allOpened();

        boolean cancelled();

        /**
         * The source ends where it has read to, as if its input ended there.
         *
         * @param source its number in the graph
         */
        boolean draining(int source);

        /**
         * A limit wants no more input. May be called more than once.
         *
         * @param limit its number in the graph
         */
        void reached(int limit);

        /** The job is to stop, promises nothing for the records in flight, and has had time for them: they are dropped. */
        default boolean dropping() {
            return false;
        }

        /** So many records were dropped before this task. */
        default void dropped(String task, long records) {}

        /**
         * This task has processed all its input and is about to save its last state; called once.
         *
         * @throws RuntimeException if the job fails for what its tasks have counted
         */
        void ending();

        /** This task has saved its last state. */
        void drained();

        /** All tasks have, and all sinks before this task's in the graph are committed. */
        boolean mayCommit(ChainTask task);

        void committed(ChainTask task);
    }

    /** Everything a task is made of but its input. */
    public record Parts(
            String name,
            Frame frame,
            List<Stage> stages,
            List<Outlet> outlets,
            List<Count.Passed> written,
            int sinksOfAll,
            boolean blocking,
            @Nullable SingleWriterRecorder latencyUs,
            TaskCounters counters,
            Agreement agreement,
            Clock clock,
            Saving saving) {}

    /**
     * What a task needs of checkpoints.
     *
     * @param number of the task in the job
     * @param input name of the operator at the head of the chain
     * @param checkpoints null if none are taken
     * @param restored null if the job begins at the beginning
     */
    public record Saving(
            int number,
            String input,
            @Nullable Barriers checkpoints,
            @Nullable Restored restored) {}

    protected final Frame frame;
    protected final Clock clock;
    protected final TaskCounters counters;
    private final Parts parts;
    private final Stages stages;
    private final Outlet[] outlets;

    /** Heads the chain; null if no operator of it waits for answers from outside. */
    private final @Nullable Asynchronous requests;

    /** Those behind were told that nothing is to be waited for here. */
    private boolean idleSent;

    private Phase phase = Phase.OPENING;

    /** The watermark that is passing through the stages, and the stage it has come to. */
    private long advancingTo;

    private int advancingAt = -1;
    private boolean finishing;

    /** Turns until the state is measured again. */
    private int turnsUnmeasured;

    /** The checkpoint whose barrier has come from all inputs and is to pass through; 0 if there is none. */
    private long barrier;

    /** Since when an input was held for that barrier. */
    private long heldSinceNs;

    private long checkpointKnown;

    /** In this turn, timers were due by the clock. */
    private boolean firedByClock;

    protected ChainTask(Parts parts) {
        this.parts = parts;
        frame = parts.frame();
        clock = parts.clock();
        counters = parts.counters();
        stages = new Stages(parts.stages(), parts.saving().input());
        outlets = parts.outlets().toArray(Outlet[]::new);
        requests = !parts.stages().isEmpty() && parts.stages().get(0) instanceof Asynchronous head ? head : null;
    }

    /** Opens the input. */
    protected abstract void openInput() throws Exception;

    /** At the beginning of each turn, even if an output has no room: what must not wait for that. */
    protected void listen() {}

    /** Takes some input; BUSY, WAITING, or DONE if no more will come. */
    protected abstract Turn takeInput() throws Exception;

    /** How far all inputs have come, or {@link Batch#IDLE}. Long.MAX_VALUE is left to the end. */
    protected abstract long inputWatermark();

    /** True if the input ended because the run was cancelled. */
    protected abstract boolean inputCancelled();

    protected abstract void closeInput() throws Exception;

    /** What was saved up to this checkpoint is kept for good. */
    protected void onInputSafe(long completed) {}

    /** Nothing more will be heard of checkpoints. */
    protected void releaseInput() throws Exception {}

    /** Hands over how far the input was read. */
    protected abstract void saveInput(TaskState to) throws Exception;

    /** Subclasses: the barrier of a checkpoint has come from all inputs; it passes before more input is taken. */
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
        return parts.latencyUs();
    }

    @Override
    public void onTurn(Turn turn, long tookNs) {
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
    public final Turn call() throws Exception {
        listen();
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

    private Turn open() throws Exception {
        stages.open();
        Restored restored = parts.saving().restored();
        if (restored != null) {
            stages.restore(restored, frame);
            SavedCounts.restore(parts.saving().input(), restored, counters);
        }
        if (!stages.inputOverBefore()) {
            openInput();
        }
        parts.agreement().opened();
        phase = Phase.WAITING_FOR_OTHERS;
        return Turn.BUSY;
    }

    private Turn await() {
        if (!parts.agreement().allOpened()) {
            return Turn.WAITING;
        }
        if (frame.watermark > Batch.IDLE) { // where the job goes on: those behind must not wait for time to move
            for (Outlet outlet : outlets) {
                outlet.watermark(frame.watermark);
            }
        }
        phase = stages.inputOverBefore() ? Phase.FINISHING : Phase.RUNNING;
        return Turn.BUSY;
    }

    private TaskState save(long checkpoint, boolean finished) throws Exception {
        flushStats();
        TaskState state = new TaskState(name(), checkpoint);
        SavedCounts.save(parts.saving().input(), counters, state);
        saveInput(state);
        stages.save(state, frame.watermark, finished);
        return state;
    }

    /** Saves what the stages remember and sends the barrier on; false if there is no room yet. */
    private boolean passBarrier() throws Exception {
        Barriers checkpoints = checkpoints();
        if (barrier == 0 || checkpoints == null) {
            return true;
        }
        if (barrier <= checkpoints.abandoned()) {
            barrier = 0;
            return true;
        }
        if (frame.blocked || advancingAt >= 0 || requestsHeld() > 0) {
            return false;
        }
        beginAdvance(watermark()); // all tasks behind a grouping save at the same watermark
        if (advancingAt < 0 && frame.watermark > Batch.IDLE) {
            advancingTo =
                    frame.watermark; // what was opened behind it fires now: then the watermark says what has fired
            advancingAt = 0;
        }
        if (!advance() || frame.blocked) {
            return false;
        }
        if (frame.trials != null) {
            frame.trials.settle();
        }
        long beganNs = clock.nowNs();
        TaskState state = save(barrier, false);
        long pausedNs = clock.nowNs() - beganNs;
        for (Outlet outlet : outlets) {
            outlet.barrier(barrier);
        }
        barrier = 0;
        checkpoints.save(parts.saving().number(), state, beganNs - heldSinceNs, pausedNs);
        return true;
    }

    private void hearOfCheckpoints() throws Exception {
        Barriers checkpoints = checkpoints();
        if (checkpoints != null && checkpoints.completed() > checkpointKnown) {
            long completed = checkpoints.completed();
            checkpointKnown = completed;
            onInputSafe(completed);
            stages.each(stage -> stage.onCheckpoint(completed));
        }
    }

    private Turn runOn() throws Exception {
        hearOfCheckpoints();
        if (!makeRoom() || !advance() || !hearAnswers() || !passBarrier()) {
            return holdBack();
        }
        if (!hearClock()) {
            return holdBack();
        }
        Turn turn = takeInput();
        Trials trials = frame.trials;
        if (trials != null) {
            trials.judge();
            if (turn == Turn.DONE && requestsHeld() == 0) {
                trials.settle();
            }
        }
        if (!frame.blocked) {
            beginAdvance(watermark());
            advance();
        }
        passBarrier();
        for (Outlet outlet : outlets) {
            outlet.flush(turn != Turn.BUSY);
        }
        flushStats();
        if (--turnsUnmeasured <= 0 || turn == Turn.DONE) {
            turnsUnmeasured = MEASURED_EVERY;
            counters.state = stages.stateStats();
        }
        if (turn == Turn.DONE && barrierPending()) {
            return Turn.HELD_BACK; // the input says once more that it is done
        }
        if (turn == Turn.DONE && requestsHeld() > 0) {
            return Turn.WAITING; // likewise
        }
        if (turn == Turn.DONE) {
            boolean cancelled = inputCancelled();
            phase = cancelled ? Phase.ENDING : Phase.FINISHING;
            advancingAt = -1;
            return Turn.BUSY;
        }
        return firedByClock ? Turn.BUSY : turn; // there may be more of them than one turn fires
    }

    /** False if what is due by the clock finds no room. */
    private boolean hearClock() throws Exception {
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

    /** No input is taken in this turn. What answers have brought goes out, if there is room. */
    private Turn holdBack() {
        boolean waits = requests != null && !frame.blocked;
        for (int i = 0; waits && i < outlets.length; i++) {
            outlets[i].flush(true);
        }
        flushStats();
        return waits ? Turn.WAITING : Turn.HELD_BACK;
    }

    /** Emits what answers have brought, and lets time advance behind it; false if nothing new is to be asked. */
    private boolean hearAnswers() throws Exception {
        if (requests == null) {
            return true;
        }
        if (parts.agreement().dropping() && requests.held() > 0) {
            parts.agreement().dropped(name(), requests.drop());
        }
        requests.emit(dueNs -> onLatency(1, dueNs));
        if (frame.blocked) {
            return false;
        }
        if (idleSent && requests.held() > 0 && frame.watermark > Batch.IDLE) {
            idleSent = false; // records are to come: those behind must wait for them
            for (Outlet outlet : outlets) {
                outlet.watermark(frame.watermark);
            }
        }
        beginAdvance(watermark());
        return advance() && !requests.full();
    }

    /** As many records wait for answers as may. */
    protected final boolean requestsFull() {
        return requests != null && requests.full();
    }

    private long requestsHeld() {
        return requests == null ? 0 : requests.held();
    }

    /** How far the inputs have come, and the answers to what came before that. */
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

    /** Of two times by the engine's clock, 0 for none. */
    protected static long earlier(long oneNs, long otherNs) {
        return otherNs != 0 && (oneNs == 0 || otherNs - oneNs < 0) ? otherNs : oneNs;
    }

    /** Gets rid of what waits; false if an output has no room still. */
    private boolean makeRoom() throws Exception {
        while (frame.blocked) {
            boolean room = true;
            for (Outlet outlet : outlets) {
                room &= outlet.makeRoom();
            }
            if (!room) {
                return false;
            }
            frame.blocked = false;
            for (int i = stages.count() - 1; i >= 0 && !frame.blocked; i--) {
                stages.get(i).resume();
            }
        }
        return true;
    }

    private void beginAdvance(long watermark) {
        if (watermark == Batch.IDLE) {
            idleSent = true;
            for (Outlet outlet : outlets) {
                outlet.watermark(watermark);
            }
        } else if (watermark > frame.watermark && watermark != Long.MAX_VALUE) {
            advancingTo = watermark;
            advancingAt = 0;
        }
    }

    /** Lets time pass through the stages, one after the other; false if it is held up. */
    private boolean advance() throws Exception {
        while (advancingAt >= 0) {
            if (frame.blocked && !makeRoom()) {
                return false;
            }
            if (advancingAt == stages.count()) {
                frame.watermark = advancingTo;
                for (Outlet outlet : outlets) {
                    outlet.watermark(advancingTo);
                }
                advancingAt = -1;
            } else if (stages.get(advancingAt).advance(advancingTo)) {
                advancingAt++;
            }
        }
        return true;
    }

    /** The end of time, for one stage after the other, each told that its input is over. */
    private Turn finish() throws Exception {
        if (advancingAt < 0) {
            advancingAt = 0;
            finishing = false;
        }
        while (advancingAt < stages.count()) {
            if (frame.blocked && !makeRoom()) {
                flushStats();
                return Turn.HELD_BACK;
            }
            Stage stage = stages.get(advancingAt);
            if (stages.finishedBefore(advancingAt)) {
                advancingAt++;
            } else if (!finishing) {
                finishing = stage.advance(Long.MAX_VALUE);
            } else if (stage.finish()) {
                finishing = false;
                advancingAt++;
            }
        }
        flushStats();
        phase = Phase.ENDING;
        return Turn.BUSY;
    }

    private Turn end() throws Exception {
        if (!makeRoom()) {
            return Turn.HELD_BACK;
        }
        flushStats();
        parts.agreement().ending();
        Barriers checkpoints = checkpoints();
        if (checkpoints != null && !inputCancelled()) {
            checkpoints.end(parts.saving().number(), save(0, true));
        }
        for (Outlet outlet : outlets) {
            outlet.end(inputCancelled());
        }
        flushStats();
        closeInput();
        parts.agreement().drained();
        phase = Phase.COMMITTING;
        return Turn.BUSY;
    }

    private Turn commit() throws Exception {
        boolean mayCommit = parts.agreement().mayCommit(this);
        hearOfCheckpoints(); // after it was asked, so that nothing completes in between unheard
        if (!mayCommit) {
            return Turn.WAITING;
        }
        stages.each(stage -> stage.commit(inputCancelled()));
        flushStats(); // of records that turned out bad only now
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
        flushStats();
        phase = Phase.ENDED;
        try {
            closeInput();
            releaseInput();
        } catch (Exception e) {
            // the job has failed already, and of that failure it tells
        }
        try {
            stages.close();
        } catch (Exception e) {
            // likewise
        }
    }

    /** Records of this turn, from plain fields to counters that others may read. */
    private void flushStats() {
        if (!TaskCounters.ON) {
            return;
        }
        long out = 0;
        for (Outlet outlet : outlets) {
            out += outlet.takeCount();
        }
        TaskCounters.add(counters.recordsOut, out);
        long written = 0;
        for (Count.Passed passed : parts.written()) {
            written += passed.records;
            passed.records = 0;
        }
        TaskCounters.add(counters.recordsWritten, written);
        if (frame.bad > 0) {
            TaskCounters.add(counters.recordsBad, frame.bad);
            TaskCounters.add(counters.recordsUnread, frame.unread);
            TaskCounters.add(counters.inputsBad, frame.inputsBad);
            frame.bad = 0;
            frame.unread = 0;
            frame.inputsBad = 0;
        }
        TaskCounters.add(counters.recordsLate, frame.late);
        frame.late = 0;
        counters.windowsOpen.setOpaque(stages.windowsOpen());
    }

    /** Subclasses: so many records came in, the first of them due at {@code dueNs}; 0 if nobody knows. */
    protected final void onInput(long records, long dueNs) {
        if (!TaskCounters.ON) {
            return;
        }
        TaskCounters.add(counters.recordsIn, records);
        if (parts.sinksOfAll() > 0) {
            TaskCounters.add(counters.recordsWritten, parts.sinksOfAll() * (records - frame.dropped));
        }
        frame.dropped = 0;
        if (requests == null) {
            onLatency(records, dueNs);
        }
    }

    private void onLatency(long records, long dueNs) {
        SingleWriterRecorder latency = parts.latencyUs();
        if (latency != null && records > 0 && dueNs != 0) {
            latency.recordValueWithCount(
                    Math.min(MAX_LATENCY_US, Math.max(0, (clock.nowNs() - dueNs) / 1_000)), records);
        }
    }

    private static final int MEASURED_EVERY = 64;
    private static final long NS_PER_MS = 1_000_000;

    /** The clock of the machine may be set, so that it is looked at again. */
    private static final long LONGEST_WAIT_MS = 1_000;

    /** Greatest latency that the histogram holds: an hour. */
    public static final long MAX_LATENCY_US = 3_600_000_000L;
}
