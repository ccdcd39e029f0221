// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.engine.checkpoint.Barriers;
import io.thalweg.engine.checkpoint.TaskState;
import io.thalweg.engine.queue.Batch;
import io.thalweg.engine.queue.Ring;
import io.thalweg.engine.stats.TaskCounters;
import io.thalweg.engine.work.Turn;
import java.util.List;

/** A task that reads from queues: takes batches from its rings in turn. Its watermark is the least of theirs. */
public class DrainTask extends ChainTask {
    /** Maximum number of batches in one turn, over all inlets. */
    private static final int BATCHES_A_TURN = 16;

    /**
     * A queue that leads here.
     *
     * @param loop pushes its records into the right input of the operator
     */
    public record In(Ring ring, DrainLoop loop) {}

    static final class Inlet {
        final Ring ring;
        final DrainLoop loop;

        /** Index of the next record in its batch. */
        int next;

        Inlet(In in) {
            ring = in.ring();
            loop = in.loop();
        }
    }

    /** A turn this long is cut short, so that other tasks get their turns and a stop takes effect. */
    private static final long LONG_TURN_NS = 50_000_000;

    private static final long SHORT_TURN_NS = 5_000_000;
    private static final int MOST_RECORDS = 1 << 20;

    private final Inlet[] inlets;
    private final InputGate gate;
    private int turn;

    /** Maximum number of records in a turn, adapted to how long turns take. */
    private int limit = 1;

    /** How many of them are left in this turn. */
    private int left;

    private final TaskAgreement agreement;

    /** Inputs wait at barriers for the others. */
    final boolean aligned;

    public DrainTask(TaskParts parts, List<In> ins) {
        super(parts);
        agreement = parts.agreement();
        inlets = ins.stream().map(Inlet::new).toArray(Inlet[]::new);
        gate = new InputGate(inlets.length);
        Barriers checkpoints = checkpoints();
        aligned = checkpoints != null && checkpoints.aligned();
    }

    @Override
    protected void openInput() {}

    /** Its queues wake it; what requests and timers wait for has a due time, or wakes it too. */
    @Override
    public boolean polled() {
        return false;
    }

    @Override
    protected Turn takeInput() throws Exception {
        releaseAbandoned();
        boolean dropping = agreement.dropping();
        boolean busy = false;
        int empty = 0;
        for (int taken = 0;
                taken < BATCHES_A_TURN && empty < inlets.length && left > 0 && !frame.blocked && !barrierPending(); ) {
            int input = turn;
            Inlet inlet = inlets[input];
            turn = turn + 1 == inlets.length ? 0 : turn + 1;
            Batch batch = mayTake(input) ? inlet.ring.peek() : null;
            if (batch == null) {
                empty++;
                continue;
            }
            empty = 0;
            taken++;
            busy = true;
            if (dropping) {
                onDropped(batch.size - inlet.next);
                inlet.next = batch.size;
            }
            drain(input, inlet, batch);
        }
        if (over()) {
            return Turn.DONE;
        }
        return busy ? Turn.BUSY : Turn.WAITING;
    }

    @Override
    protected void listen() {
        left = limit;
    }

    @Override
    public void onTurn(Turn how, long tookNs) {
        super.onTurn(how, tookNs);
        int taken = limit - left;
        if (taken == 0) {
            return; // says nothing of how long a record takes
        }
        if (tookNs > LONG_TURN_NS) {
            limit = Math.max(1, taken / 2);
        } else if (limit < MOST_RECORDS && tookNs < SHORT_TURN_NS) {
            limit *= 2;
        }
    }

    /** Unblocks inlets whose checkpoint was aborted. */
    private void releaseAbandoned() {
        Barriers checkpoints = checkpoints();
        if (checkpoints != null) {
            gate.abandon(checkpoints.abandoned());
        }
    }

    final InputGate gate() {
        return gate;
    }

    boolean mayTake(int input) {
        return !gate.ended(input) && !(aligned && gate.holds(input));
    }

    boolean over() {
        return gate.over();
    }

    /** True if all of the batch was taken, and it is released. */
    boolean drain(int input, Inlet inlet, Batch batch) throws Exception {
        int from = inlet.next;
        if (batch.dueNs != 0) { // a batch with only an end has no origin: windows fire for earlier records
            frame.split = batch.split;
            frame.offset = batch.offset;
            frame.dueNs = batch.dueNs;
        }
        int reached = from;
        if (batch.size > from) {
            gate.onRecords(input);
            if (batch.timed && gate.behind(input, frame.watermark)) {
                raiseStamps(batch, from, frame.watermark);
            }
            reached = inlet.loop.run(batch, from, Math.min(batch.size, from + left));
            settle();
            left -= reached - from;
            onInput(reached - from, batch.dueNs);
        }
        inlet.next = reached;
        if (reached < batch.size) {
            return false; // no room, or enough for one turn: a later turn takes the rest of the batch
        }
        if (batch.size > 0) {
            TaskCounters.add(counters.batchesIn, 1);
        }
        inlet.next = 0;
        if (batch.watermark != Batch.NO_WATERMARK) {
            gate.onWatermark(input, batch.watermark);
        }
        if (batch.barrier != 0) {
            takeBarrier(input, batch.barrier);
        }
        if (batch.end) {
            pass(gate.onEnd(input, batch.cancelled));
        }
        inlet.ring.release();
        return true;
    }

    static void raiseStamps(Batch batch, int from, long least) {
        for (int i = from; i < batch.size; i++) {
            batch.stamps[i] = Math.max(batch.stamps[i], least);
        }
    }

    /** A barrier has arrived on an input. */
    void takeBarrier(int input, long checkpoint) {
        pass(gate.onBarrier(input, checkpoint, clock.nowNs()));
    }

    private void pass(long alignedBarrier) {
        if (alignedBarrier != 0) {
            onBarrier(alignedBarrier, gate.heldSinceNs());
        }
    }

    /** Nothing to save: after a restore the sources read these records again. */
    @Override
    protected void saveInput(TaskState to) {}

    @Override
    protected long inputWatermark() {
        return gate.watermark(frame.watermark);
    }

    @Override
    protected boolean inputCancelled() {
        return gate.cancelled();
    }

    @Override
    protected void closeInput() {}

    @Override
    public long queueDepth() {
        long depth = 0;
        for (Inlet inlet : inlets) {
            depth += inlet.ring.depth();
        }
        return depth;
    }
}
