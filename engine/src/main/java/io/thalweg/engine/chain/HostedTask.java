// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.engine.ack.Anchor;
import io.thalweg.engine.checkpoint.TaskState;
import io.thalweg.engine.queue.Batch;
import io.thalweg.engine.work.Turn;
import java.util.List;

/**
 * A task that another engine runs. The engine passes input record by record, from numbered inputs: one for each
 * upstream task and each edge from there. Between records it calls turns, in which watermarks, barriers and the end of
 * input are processed.
 */
public final class HostedTask extends ChainTask {
    /** The id of an input record in the tree of its root. */
    public static final long IN_HAND = 1;

    /** Takes the records of each input. */
    private final Receiver[] entries;

    private final InputGate gate;

    /** Records that are not counted yet. */
    private long handed;

    /** @param entries for each input, the receiver of the operator's input that it leads to */
    public HostedTask(TaskParts parts, List<Receiver> entries) {
        super(parts);
        this.entries = entries.toArray(Receiver[]::new);
        gate = new InputGate(entries.size());
    }

    /**
     * Pushes a record through the chain.
     *
     * @param root identifies the record in reports
     */
    public void record(int input, Object value, long time, long stamp, long root) throws Exception {
        gate.onRecords(input);
        frame.time = time;
        frame.stamp = gate.behind(input, frame.watermark) ? Math.max(stamp, frame.watermark) : stamp;
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

    /** The root of the record whose output is being sent; 0 if there is none. */
    public long rootInHand() {
        Anchor anchor = frame.anchor;
        return anchor == null ? 0 : anchor.root();
    }

    /** True if no record may be passed in before a turn has handled answers from outside. */
    public boolean waitsForAnswers() {
        return requestsFull() || barrierPending();
    }

    /** Sets the watermark of an input; {@link Batch#IDLE} if it is idle. A turn must follow. */
    public void watermark(int input, long watermark) {
        gate.onWatermark(input, watermark);
    }

    /** A barrier has arrived. True if the input is now blocked by alignment. A turn must follow. */
    public boolean barrier(int input, long checkpoint) {
        pass(gate.onBarrier(input, checkpoint, clock.nowNs()));
        return gate.holds(input);
    }

    /** True while the input is blocked by alignment: its barrier has arrived, and that of others has not. */
    public boolean holds(int input) {
        return gate.holds(input);
    }

    /** The input has ended. A turn must follow. */
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

    /** Nothing to save: after a restore the sources read these records again. */
    @Override
    protected void saveInput(TaskState to) {}

    @Override
    protected void closeInput() {}

    @Override
    public long queueDepth() {
        return 0;
    }
}
