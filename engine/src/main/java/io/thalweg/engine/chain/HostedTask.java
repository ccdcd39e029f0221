// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.engine.ack.Anchor;
import io.thalweg.engine.checkpoint.TaskState;
import io.thalweg.engine.queue.Batch;
import io.thalweg.engine.work.Turn;
import java.util.Arrays;
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

    private final long[] watermarks;
    private final boolean[] idle;
    private final boolean[] ended;
    private final long[] barriers;
    private int open;
    private boolean cancelled;

    /** Records that are not counted yet. */
    private long handed;

    private long barrierSinceNs;
    private long latestBarrier;

    /** @param entries for each input, that of the operator's input which it leads to */
    public HostedTask(Parts parts, List<Receiver> entries) {
        super(parts);
        this.entries = entries.toArray(Receiver[]::new);
        int inputs = entries.size();
        watermarks = new long[inputs];
        Arrays.fill(watermarks, Batch.NO_WATERMARK);
        idle = new boolean[inputs];
        ended = new boolean[inputs];
        barriers = new long[inputs];
        open = inputs;
    }

    /**
     * Pushes a record through the chain.
     *
     * @param root what reports call it
     */
    public void record(int input, Object value, long time, long stamp, long root) throws Exception {
        idle[input] = false;
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
        idle[input] = watermark == Batch.IDLE;
        if (watermark != Batch.IDLE) {
            watermarks[input] = watermark;
        }
    }

    /** A barrier has come. True while what follows on this input is to wait. A turn follows. */
    public boolean barrier(int input, long checkpoint) {
        for (int i = 0; i < barriers.length; i++) {
            barriers[i] = barriers[i] < checkpoint ? 0 : barriers[i]; // one at a time: the ones before were given up
        }
        latestBarrier = Math.max(latestBarrier, checkpoint);
        barriers[input] = checkpoint < latestBarrier ? 0 : checkpoint;
        align();
        return barriers[input] != 0;
    }

    /** What comes on this input is to be held: its barrier has come, and that of others has not. */
    public boolean holds(int input) {
        return barriers[input] != 0;
    }

    /** Nothing more comes on this input. A turn follows. */
    public void end(int input, boolean because) {
        ended[input] = true;
        cancelled |= because;
        open--;
        align();
    }

    /** An input that has ended is behind no barrier. */
    private void align() {
        long latest = 0;
        boolean waiting = false;
        for (int i = 0; i < barriers.length; i++) {
            latest = Math.max(latest, barriers[i]);
            waiting |= !ended[i] && barriers[i] == 0;
        }
        if (latest == 0) {
            return;
        }
        if (barrierSinceNs == 0) {
            barrierSinceNs = clock.nowNs();
        }
        if (!waiting) {
            Arrays.fill(barriers, 0);
            onBarrier(latest, barrierSinceNs);
            barrierSinceNs = 0;
        }
    }

    @Override
    protected void openInput() {}

    @Override
    protected Turn takeInput() {
        onInput(handed, 0);
        handed = 0;
        return open == 0 ? Turn.DONE : Turn.WAITING;
    }

    @Override
    protected long inputWatermark() {
        if (cancelled) {
            return frame.watermark; // what a stopped input did not bring is missing: time goes no further
        }
        long least = Long.MAX_VALUE;
        boolean someIdle = false;
        for (int i = 0; i < watermarks.length; i++) {
            if (!ended[i] && idle[i]) {
                someIdle = true;
            } else if (!ended[i]) {
                least = Math.min(least, watermarks[i]);
            }
        }
        return least == Long.MAX_VALUE && someIdle ? Batch.IDLE : least;
    }

    @Override
    protected boolean inputCancelled() {
        return cancelled;
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
