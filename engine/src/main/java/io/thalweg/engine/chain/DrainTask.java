// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.engine.checkpoint.Barriers;
import io.thalweg.engine.checkpoint.TaskState;
import io.thalweg.engine.queue.Batch;
import io.thalweg.engine.queue.Ring;
import io.thalweg.engine.work.Turn;
import java.util.List;

/** A task behind queues: takes batches from its rings in turn, and the least of their watermarks as its own. */
public final class DrainTask extends ChainTask {
    /** Batches taken in one turn, over all inlets. */
    private static final int BATCHES_A_TURN = 16;

    private static final class Inlet {
        final Ring ring;
        long watermark = Batch.NO_WATERMARK;
        boolean idle;
        boolean ended;
        /** The barrier that has come on this inlet while others are behind; 0 where there is none. */
        long barrier;

        int next;

        Inlet(Ring ring) {
            this.ring = ring;
        }
    }

    private final Inlet[] inlets;
    private final DrainLoop loop;
    private int turn;
    private int open;
    private boolean cancelled;

    /** Since when the first of the inlets has its barrier. */
    private long barrierSinceNs;

    private final boolean aligned;

    public DrainTask(Parts parts, List<Ring> rings, DrainLoop loop) {
        super(parts);
        this.loop = loop;
        inlets = rings.stream().map(Inlet::new).toArray(Inlet[]::new);
        open = inlets.length;
        Barriers checkpoints = checkpoints();
        aligned = checkpoints != null && checkpoints.aligned();
    }

    @Override
    protected void openInput() {}

    @Override
    protected Turn takeInput() throws Exception {
        boolean busy = false;
        int empty = 0;
        for (int taken = 0; taken < BATCHES_A_TURN && empty < inlets.length && !frame.blocked && !barrierPending(); ) {
            Inlet inlet = inlets[turn];
            turn = turn + 1 == inlets.length ? 0 : turn + 1;
            boolean held = inlet.ended || (aligned && inlet.barrier != 0);
            Batch batch = held ? null : inlet.ring.peek();
            if (batch == null) {
                empty++;
                continue;
            }
            empty = 0;
            taken++;
            busy = true;
            drain(inlet, batch);
        }
        if (open == 0) {
            return Turn.DONE;
        }
        return busy ? Turn.BUSY : Turn.WAITING;
    }

    private void drain(Inlet inlet, Batch batch) throws Exception {
        int from = inlet.next;
        if (batch.dueNs != 0) { // an end alone comes from nowhere: windows fire for what came before it
            frame.split = batch.split;
            frame.offset = batch.offset;
            frame.dueNs = batch.dueNs;
        }
        int reached = from;
        if (batch.size > from) {
            inlet.idle = false;
            reached = loop.run(batch, from);
            onInput(reached - from, batch.dueNs);
        }
        inlet.next = reached;
        if (reached < batch.size) {
            return; // no room: the rest of the batch comes later
        }
        inlet.next = 0;
        if (batch.watermark == Batch.IDLE) {
            inlet.idle = true;
        } else if (batch.watermark != Batch.NO_WATERMARK) {
            inlet.idle = false;
            inlet.watermark = batch.watermark;
        }
        if (batch.barrier != 0) {
            inlet.barrier = batch.barrier;
        }
        if (batch.end) {
            inlet.ended = true;
            cancelled |= batch.cancelled;
            open--;
        }
        if (batch.barrier != 0 || batch.end) {
            alignBarriers();
        }
        inlet.ring.release();
    }

    /** An inlet that has ended is behind no barrier. */
    private void alignBarriers() {
        long latest = 0;
        int waiting = 0;
        for (Inlet inlet : inlets) {
            latest = Math.max(latest, inlet.barrier);
            waiting += inlet.ended || inlet.barrier != 0 ? 0 : 1;
        }
        if (latest == 0) {
            return;
        }
        if (barrierSinceNs == 0) {
            barrierSinceNs = clock.nowNs();
        }
        if (waiting == 0) {
            for (Inlet inlet : inlets) {
                inlet.barrier = 0;
            }
            onBarrier(latest, barrierSinceNs);
            barrierSinceNs = 0;
        }
    }

    /** What was read of the queues is known to who fills them. */
    @Override
    protected void saveInput(TaskState to) {}

    @Override
    protected long inputWatermark() {
        if (cancelled) {
            return frame.watermark; // what a stopped input did not bring is missing: time goes no further
        }
        long least = Long.MAX_VALUE;
        boolean idle = false;
        for (Inlet inlet : inlets) {
            if (inlet.idle && !inlet.ended) {
                idle = true;
            } else if (!inlet.ended) {
                least = Math.min(least, inlet.watermark);
            }
        }
        return least == Long.MAX_VALUE && idle ? Batch.IDLE : least;
    }

    @Override
    protected boolean inputCancelled() {
        return cancelled;
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
