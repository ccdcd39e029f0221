// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.engine.ack.Anchor;
import io.thalweg.engine.checkpoint.TaskState;
import io.thalweg.engine.queue.Batch;
import io.thalweg.engine.work.Turn;
import java.util.List;

/**
 * A task that is handed its input by whoever runs it, record by record, from numbered inputs: one for each task before it and
 * each edge that leads from there. Between records the caller gives it turns, in which time, barriers and the end pass.
 */
public final class HostedTask extends ChainTask {
    /** The id of a record that is handed over, in the tree of its root. */
    public static final long IN_HAND = 1;

    /** Where records of each input go. */
    private final Receiver[] entries;

    private final InputGate gate;

    /** Records that are not counted yet. */
    private long handed;

    /** @param entries for each input, that of the operator's input which it leads to */
    public HostedTask(TaskParts parts, List<Receiver> entries) {
        super(parts);
        this.entries = entries.toArray(Receiver[]::new);
        gate = new InputGate(entries.size());
    }

    /**
     * Pushes a record through the chain.
     *
     * @param root what reports call it
     */
    public void record(int input, Object value, long time, long stamp, long root) throws Exception {
        gate.onRecords(input);
        frame.time = time;
        frame.stamp = stamp;
        Anchor anchor = frame.anchor;
        if (anchor != null) {
            anchor.begin(root, IN_HAND);
        }
        try {
            entries[input].accept(value);
        } catch (OperatorException e) {
            frame.onFailure(e, value);
        }
        if (anchor != null) {
            anchor.end();
        }
        handed++;
    }

    /** The root of the record that is being handed on, as it was handed over; 0 if there is none. */
    public long rootInHand() {
        Anchor anchor = frame.anchor;
        return anchor == null ? 0 : anchor.root();
    }

    /** No record may be handed over before answers from outside have come, which are heard in turns. */
    public boolean waitsForAnswers() {
        return requestsFull() || barrierPending();
    }

    /** The inputs have come so far; {@link Batch#IDLE} if this one counts for nothing. A turn follows. */
    public void watermark(int input, long watermark) {
        gate.onWatermark(input, watermark);
    }

    /** A barrier has come. True while what follows on this input is to wait. A turn follows. */
    public boolean barrier(int input, long checkpoint) {
        pass(gate.onBarrier(input, checkpoint, clock.nowNs()));
        return gate.holds(input);
    }

    /** What comes on this input is to be held: its barrier has come, and that of others has not. */
    public boolean holds(int input) {
        return gate.holds(input);
    }

    /** Nothing more comes on this input. A turn follows. */
    public void end(int input, boolean because) {
        pass(gate.onEnd(input, because));
    }

    private void pass(long aligned) {
        if (aligned != 0) {
            onBarrier(aligned, gate.heldSinceNs());
        }
    }

    @Override
    protected void openInput() {}

    @Override
    protected Turn takeInput() {
        onInput(handed, 0);
        handed = 0;
        return gate.over() ? Turn.DONE : Turn.WAITING;
    }

    @Override
    protected long inputWatermark() {
        return gate.watermark(frame.watermark);
    }

    @Override
    protected boolean inputCancelled() {
        return gate.cancelled();
    }

    /** What was read is known to who hands it over. */
    @Override
    protected void saveInput(TaskState to) {}

    @Override
    protected void closeInput() {}

    @Override
    public long queueDepth() {
        return 0;
    }
}
