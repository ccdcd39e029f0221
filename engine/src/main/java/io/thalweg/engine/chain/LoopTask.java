// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.engine.queue.Batch;
import io.thalweg.engine.work.Turn;
import java.util.ArrayList;
import java.util.List;

/**
 * A task within a {@link Loop}. Queues that lead back have no watermarks and no end: the task's watermark is that of its other inputs, and
 * it ends when the loop does. What comes back cannot be behind the task's watermark, which did not wait for it, so its stamp is raised.
 */
public final class LoopTask extends DrainTask {
    /** The inputs of a task, by where they come from. */
    public record Inputs(List<In> outside, List<In> within, List<In> back) {
        private List<In> all() {
            List<In> all = new ArrayList<>(outside);
            all.addAll(within);
            all.addAll(back);
            return all;
        }
    }

    private final LoopPart part;
    private final Loop loop;

    /** An operator of this task that leads records back, for messages. */
    private final String leadsBack;

    private final int outside;
    private final int forward;

    /** What of the count belongs to this task: for records that it has taken, or keeps. */
    private long owned;

    private boolean entered;
    private boolean endingTime;
    private boolean acted;
    private int lastStep = -1;

    public LoopTask(TaskParts parts, Inputs inputs, LoopPart part, String leadsBack) {
        super(parts, inputs.all());
        this.part = part;
        this.leadsBack = leadsBack;
        loop = part.loop();
        outside = inputs.outside().size();
        forward = outside + inputs.within().size();
        entered = outside > 0;
        for (int input = forward; input < inputs.all().size(); input++) {
            gate().onEnd(input, false); // counts neither for watermarks nor for the end
        }
    }

    @Override
    protected void listen() {
        super.listen();
        if (loop.overfull() && !leadsBack.isEmpty()) {
            throw loop.tooMany(leadsBack);
        }
    }

    @Override
    boolean mayTake(int input) {
        return input >= forward || (super.mayTake(input) && (input >= outside || !loop.full()));
    }

    @Override
    boolean over() {
        return super.over() && loop.ended();
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
        if (input >= forward && batch.timed) {
            raiseStamps(batch, inlet.next); // the watermark may have advanced since the first of them were taken
        }
        long taken = batch.size + (batch.watermark == Batch.NO_WATERMARK ? 0L : 1L);
        part.ending(loop.ended()); // what comes now is of an operator that has ended
        boolean released = super.drain(input, inlet, batch);
        part.ending(false);
        owned += within && released ? taken : 0;
        return released;
    }

    private void raiseStamps(Batch batch, int from) {
        long least = loop.timeEnded() ? Long.MAX_VALUE : frame.watermark;
        for (int i = from; i < batch.size; i++) {
            batch.stamps[i] = Math.max(batch.stamps[i], least);
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

    private boolean outsideEnded() {
        for (int input = 0; input < outside; input++) {
            if (!gate().ended(input)) {
                return false;
            }
        }
        return true;
    }
}
