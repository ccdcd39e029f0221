// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.engine.checkpoint.Barriers;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.StateName;
import io.thalweg.engine.checkpoint.TaskState;
import io.thalweg.engine.queue.Batch;
import io.thalweg.engine.work.Turn;
import java.util.ArrayList;
import java.util.List;

/**
 * A task within a {@link Loop}. Queues that lead back have no watermarks and no end: the task's watermark is that of its other inputs, and
 * it ends when the loop does. What comes back cannot be behind the task's watermark, which did not wait for it, so its stamp is raised.
 * Barriers come from outside, too: the task saves its state without waiting for those that come round, and then keeps a {@link LoopLog}
 * of what was on its way.
 */
public final class LoopTask extends DrainTask {
    private static final String TIME = "time of the loop";

    /** A queue that leads back, and the stream that it belongs to. */
    public record Back(In in, FeedbackSnapshot stream) {}

    /**
     * The inputs of a task, by where they come from.
     *
     * @param restored queues that hold what was on its way at the checkpoint that the job continues from
     * @param onTheirWay how many records these hold
     */
    public record Inputs(List<In> outside, List<In> within, List<Back> back, List<In> restored, long onTheirWay) {
        private List<In> all() {
            List<In> all = new ArrayList<>(outside);
            all.addAll(within);
            back.forEach(queue -> all.add(queue.in));
            all.addAll(restored);
            return all;
        }
    }

    private final LoopPart part;
    private final Loop loop;
    private final LoopLog log;

    /** Name of the operator at the head of the chain. */
    private final String head;

    /** An operator of this task that leads records back, for messages. */
    private final String leadsBack;

    /** The first input after those from outside. */
    private final int outside;

    /** The first input after those from within the loop that lead on. */
    private final int forward;

    /** The first input after those that lead back. */
    private final int back;

    /** Queues with restored records that are not empty. */
    private int restoring;

    /** The last barrier that the task has passed, or that was there before. */
    private long saved;

    /** The last turn began a barrier, so this one must take input, even if the next checkpoint is asked for already. */
    private boolean toTake;

    /** What of the count belongs to this task: for records that it has taken, or keeps. */
    private long owned;

    /** The same for barriers that it has taken or begun, or for what is to be saved behind them: 0 or more. */
    private long saving;

    private boolean entered;
    private boolean endingTime;
    private boolean acted;
    private int lastStep = -1;

    public LoopTask(TaskParts parts, Inputs inputs, LoopPart part, String leadsBack) {
        super(parts, inputs.all());
        this.part = part;
        this.leadsBack = leadsBack;
        loop = part.loop();
        head = parts.saving().input();
        log = new LoopLog(inputs.back().stream().map(Back::stream).toList(), part.task());
        outside = inputs.outside().size();
        forward = outside + inputs.within().size();
        back = forward + inputs.back().size();
        restoring = inputs.restored().size();
        entered = outside > 0;
        for (int input = forward; input < inputs.all().size(); input++) {
            gate().onEnd(input, false); // counts neither for watermarks nor for the end
        }
        Barriers checkpoints = checkpoints();
        saved = checkpoints == null ? 0 : checkpoints.asked();
        if (inputs.onTheirWay() > 0) {
            loop.restored(inputs.onTheirWay());
        }
    }

    /** Operators without state of their own know no time, and what comes back must not be behind the time of those after it. */
    @Override
    protected void openInput() {
        Restored restored = restored();
        if (restored == null || frame.watermark > Batch.IDLE) {
            return;
        }
        long least = Long.MAX_VALUE;
        for (ByteReader former : restored.whole(time(), TIME)) {
            least = Math.min(least, former.readLong());
        }
        frame.watermark = least == Long.MAX_VALUE ? frame.watermark : least;
    }

    /** Then that of the whole loop had, though other tasks may not know: they may have been fused with others. */
    @Override
    protected void onOverBefore() {
        loop.endedBefore();
    }

    @Override
    protected void saveInput(TaskState to) {
        to.whole(time(), TIME).writeLong(frame.watermark);
    }

    private StateName time() {
        return new StateName(head, TIME);
    }

    @Override
    protected void listen() {
        super.listen();
        Barriers checkpoints = checkpoints();
        if (checkpoints != null) {
            log.abandon(checkpoints.abandoned());
        }
        if (loop.overfull() && !leadsBack.isEmpty()) {
            throw loop.tooMany(leadsBack);
        }
    }

    @Override
    boolean mayTake(int input) {
        if (restoring > 0 || input >= back) {
            return restoring > 0 && input >= back; // before all others
        }
        if (input >= forward) {
            return !(aligned && log.holds(input - forward));
        }
        return super.mayTake(input) && (input >= outside || !loop.full() || (awaitsBarrier() && !gate().holds(input)));
    }

    /** A barrier is to come, for which there must be room, or nothing that the loop keeps would get less. */
    private boolean awaitsBarrier() {
        Barriers checkpoints = checkpoints();
        return checkpoints != null && checkpoints.asked() > Math.max(saved, checkpoints.abandoned());
    }

    @Override
    boolean over() {
        return super.over() && loop.ended();
    }

    /** Barriers come from outside only, so when no more do, they begin here. */
    private boolean begins() {
        return outside > 0 && forward == outside && outsideEnded();
    }

    /** Begins a barrier that is asked for, as a source does; true if it has. */
    private boolean beginsBarrier() {
        Barriers checkpoints = checkpoints();
        if (checkpoints == null || restoring > 0 || !awaitsBarrier() || !begins()) {
            return false;
        }
        if (!loop.beginsBarrier(checkpoints.asked())) {
            return false;
        }
        saving++;
        onBarrier(checkpoints.asked(), clock.nowNs());
        return true;
    }

    @Override
    protected boolean inputCancelled() {
        return super.inputCancelled() || loop.cancelled();
    }

    @Override
    protected Turn takeInput() throws Exception {
        if (endingTime) {
            endTime();
            return Turn.BUSY;
        }
        toTake = !toTake && beginsBarrier();
        if (toTake) {
            return Turn.BUSY;
        }
        Turn turn = super.takeInput();
        if (turn == Turn.DONE) {
            part.ending(true);
        }
        int step = loop.stepOf(part.chain());
        if (turn == Turn.WAITING && step > lastStep) {
            lastStep = step;
            endTime();
            return Turn.BUSY;
        }
        return turn;
    }

    private void endTime() throws Exception {
        acted = advanceToEnd(loop::has);
        endingTime = !acted;
    }

    @Override
    boolean drain(int input, Inlet inlet, Batch batch) throws Exception {
        boolean within = input >= outside;
        boolean leadsBack = input >= forward && input < back;
        if (input >= forward && batch.timed) {
            long least = loop.timeEnded() ? Long.MAX_VALUE : frame.watermark;
            raiseStamps(batch, inlet.next, least); // the watermark may have advanced since the first of them were taken
        }
        if (leadsBack) {
            log(input - forward, batch, inlet.next);
        }
        if (stopped()) {
            inlet.next = batch.size; // the job continues from the checkpoint, and takes them again
        }
        long taken = batch.size + (batch.watermark == Batch.NO_WATERMARK ? 0L : 1L);
        long barriers = batch.barrier == 0 ? 0 : 1;
        part.ending(loop.ended()); // what comes now is of an operator that has ended
        boolean released = super.drain(input, inlet, batch);
        part.ending(false);
        if (!released) {
            return false;
        }
        owned += within ? taken : 0;
        saving += within ? barriers : 0;
        if (leadsBack) {
            log.onBatchEnd(input - forward);
        } else if (input >= back && inlet.ring.depth() == 0) {
            inlet.ring.discard();
            restoring--;
        }
        return true;
    }

    private void log(int input, Batch batch, int from) throws OperatorException {
        try {
            log.onBatch(input, batch, from);
        } catch (RuntimeException e) { // of a codec
            throw new OperatorException(head, batch.split, batch.offset, e);
        }
    }

    /** The barrier has passed behind which the job stops. */
    private boolean stopped() {
        Barriers checkpoints = checkpoints();
        return checkpoints != null && saved >= checkpoints.stopAt();
    }

    @Override
    void takeBarrier(int input, long checkpoint) {
        if (input < forward) {
            super.takeBarrier(input, checkpoint);
            return;
        }
        log.onBarrier(input - forward, checkpoint);
        handOverComplete();
    }

    @Override
    protected void handOver(TaskState state, long heldNs, long pausedNs) {
        saved = state.checkpoint();
        if (outside > 0 && stopped()) {
            loop.stopped();
        }
        loop.passed(saved);
        log.begin(new LoopLog.Saved(state, heldNs, pausedNs));
        handOverComplete();
    }

    private void handOverComplete() {
        LoopLog.Saved complete = log.complete();
        if (complete != null) {
            super.handOver(complete.state(), complete.heldNs(), complete.pausedNs());
        }
    }

    /** Counts what the turn has sent, and then counts off what it has taken: in between the loop must not look empty. */
    @Override
    public void onTurn(Turn how, long tookNs) {
        super.onTurn(how, tookNs);
        part.count();
        boolean waits = frame.blocked && !loop.ended();
        long kept = requestsHeld() + (waits ? 1 : 0); // what was sent is counted, whether there was room for it or not
        if (kept != owned) {
            long change = kept - owned;
            owned = kept;
            loop.holding(change);
        }
        long stillSaving = savesStill() ? 1 : 0;
        if (stillSaving != saving) { // last: a barrier may have made windows emit
            long change = stillSaving - saving;
            saving = stillSaving;
            loop.saving(change);
        }
        if (frame.blocked) {
            return;
        }
        if (acted) {
            acted = false;
            loop.acted();
        }
        if (entered && outsideEnded()) {
            entered = false;
            loop.inputEnded(super.inputCancelled());
        }
    }

    /** A barrier has come to this task, and either it or what is to be saved with it is still to come elsewhere. */
    private boolean savesStill() {
        return barrierPending() || gate().someHeld() || log.isOpen() || log.holdsSome();
    }

    private boolean outsideEnded() {
        for (int input = 0; input < outside; input++) {
            if (!gate().ended(input)) {
                return false;
            }
        }
        return true;
    }
}
