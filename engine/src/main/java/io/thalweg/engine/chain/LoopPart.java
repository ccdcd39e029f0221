// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

/** A task's part of a {@link Loop}: what it has sent and is not counted yet. For the task's thread. */
public final class LoopPart {
    private final Loop loop;

    /** Number of its chain among those of the loop. */
    private final int chain;

    private final int task;
    private long sent;
    private long barriers;

    /** What is sent now comes of the end of an operator's input. */
    private boolean ending;

    /** @param task its number in its chain */
    public LoopPart(Loop loop, int chain, int task) {
        this.loop = loop;
        this.chain = chain;
        this.task = task;
    }

    public Loop loop() {
        return loop;
    }

    int chain() {
        return chain;
    }

    public int task() {
        return task;
    }

    /** A record or a watermark is to be sent within the loop. */
    public void send() {
        sent++;
    }

    public void sendBarrier() {
        barriers++;
    }

    /** Must be called before anything that was sent can be taken. */
    public void count() {
        if (sent > 0) {
            loop.sending(sent);
            sent = 0;
        }
        if (barriers > 0) {
            loop.saving(barriers);
            barriers = 0;
        }
    }

    void ending(boolean now) {
        ending = now;
    }

    /**
     * A record is led back, and nobody takes it any more: what an operator emits at its end must not get lost; what clocks and threads
     * emit meanwhile is as if they had been stopped before.
     */
    public void tooLate(String operator) {
        if (ending) {
            throw loop.tooLate(operator);
        }
        loop.dropped();
    }
}
