// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.api.stats.LoopStats;
import io.thalweg.run.JobFailedException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A loop of a job, shared by the tasks of its chains: how many records are within it, and how it ends. Any thread may call.
 *
 * <p>A task counts what it sends within the loop before anybody can take it, and counts off what it has taken only when all that came of
 * it was sent. So the loop is empty when the count is 0, and stays so while nothing comes from outside. It ends in steps, each of which
 * waits until the loop is empty again: one chain after the other advances to the end of time, in the order of the graph, until a round of
 * these steps has sent nothing; then the tasks end as any others do. Barriers within the loop, and logs of what is led back
 * ({@link LoopLog}), have a count of their own, which must be 0, too: no checkpoint meets these steps. No barrier begins in an empty loop,
 * so the next checkpoint cannot keep it from its end.
 */
public final class Loop {
    private static final int RUNNING = -1;
    private static final int ENDING = Integer.MAX_VALUE;

    /**
     * What a loop consists of.
     *
     * @param topology for messages
     * @param operators their names, in the order of the graph
     * @param tasks how many each of its chains has, in the order of the graph
     * @param entered how many of them also have inputs from outside
     * @param limit records that may be kept beyond the queues that lead back
     */
    public record Extent(String topology, List<String> operators, List<Integer> tasks, int entered, long limit) {}

    private final Extent extent;
    private final TaskAgreement agreement;
    private final List<? extends Runnable> wakers;

    /** Checkpoints are taken, so that a job that is cancelled ends behind the last one's barrier. */
    private final boolean saves;

    /** Records within the loop, and watermarks that are on their way. */
    private final AtomicLong within = new AtomicLong();

    /** Barriers that are on their way, and tasks that have something to save at one. */
    private final AtomicLong saving = new AtomicLong();

    /** How many records may be kept. */
    private final AtomicLong limit;

    /** Records beyond the queues that lead back. */
    private final AtomicLong kept = new AtomicLong();

    /** Records that were to be led back when the loop had ended. */
    private final AtomicLong dropped = new AtomicLong();

    /** Something was sent since the first step of this round. */
    private final AtomicBoolean moved = new AtomicBoolean();

    private volatile int step = RUNNING;
    private volatile boolean cancelled;

    /** A task was to begin a barrier, and no record was within the loop. */
    private volatile boolean refused;

    // ---- guarded by this
    private long begun;
    private int entered;
    private int stopped;
    private int acted;

    /**
     * @param wakers of its tasks
     * @param saves checkpoints are taken
     */
    public Loop(Extent extent, TaskAgreement agreement, List<? extends Runnable> wakers, boolean saves) {
        this.extent = extent;
        this.agreement = agreement;
        this.wakers = wakers;
        this.saves = saves;
        limit = new AtomicLong(extent.limit());
        entered = extent.entered();
    }

    /** Counts records that are about to be sent within the loop. */
    void sending(long records) {
        if (within.getAndAdd(records) == 0) {
            wakeRefused();
        }
        if (step != RUNNING) {
            moved.set(true);
        }
    }

    /** Counts records that a task keeps, or no longer does. */
    void holding(long change) {
        long now = within.addAndGet(change);
        if (now == 0) {
            look();
        } else if (now == change) {
            wakeRefused();
        }
    }

    /** Counts records of the checkpoint, which may all have to wait again: there may be fewer tasks and queues now. */
    void restored(long records) {
        limit.addAndGet(records);
        holding(records);
    }

    /** Counts barriers and what is to be saved behind them, or that there is less of them: after what they made operators emit. */
    void saving(long change) {
        if (saving.addAndGet(change) == 0) {
            look();
        }
    }

    /** All inputs of a task from outside the loop have ended, and what came of them was counted. */
    void inputEnded(boolean because) {
        synchronized (this) {
            entered--;
            cancelled |= because;
        }
        look();
    }

    /**
     * A task is to begin a barrier, which is counted. False if time is ending, or will be because no record is within the loop: the
     * checkpoint is made of the states at the end. The task is woken if records come again, or another one has begun that barrier.
     */
    boolean beginsBarrier(long checkpoint) {
        synchronized (this) {
            if (step != RUNNING) {
                return false;
            }
            if (entered == 0 && begun < checkpoint) {
                refused = true; // before the count is read: whoever raises it then looks
                if (within.get() == 0) {
                    return false;
                }
            }
            saving.incrementAndGet();
        }
        passed(checkpoint);
        return true;
    }

    /** A task has begun a barrier, or passes one: all others that are to begin it must, or it does not come round. */
    void passed(long checkpoint) {
        synchronized (this) {
            begun = Math.max(begun, checkpoint);
        }
        wakeRefused();
    }

    private void wakeRefused() {
        if (refused) {
            refused = false;
            wakeAll();
        }
    }

    /** A task with inputs from outside has passed the barrier of the last checkpoint of a job that is cancelled. */
    synchronized void stopped() {
        cancelled = true;
        stopped++;
    }

    /** It had ended before the checkpoint that the job continues from. */
    void endedBefore() {
        synchronized (this) {
            step = ENDING;
        }
        wakeAll();
    }

    /** A task has done the current step. */
    void acted() {
        synchronized (this) {
            acted++;
        }
        look();
    }

    private void look() {
        if (advance()) {
            wakeAll();
        }
    }

    /** Begins the next step if this one is over; true if it did. */
    private synchronized boolean advance() {
        // saving first: while it is 0 no barrier makes operators emit, so a count that is 0 then stays so
        if (saving.get() != 0 || within.get() != 0 || step == ENDING || (step == RUNNING && entered > 0)) {
            return false;
        }
        int chains = extent.tasks().size();
        if (cancelled || (!saves && agreement.cancelled())) {
            if (saves && stopped < extent.entered()) {
                return false; // some tasks have not saved for the last checkpoint
            }
            cancelled = true;
            step = ENDING;
        } else if (step == RUNNING) {
            begin(0);
        } else if (acted < extent.tasks().get(step % chains)) {
            return false;
        } else if ((step + 1) % chains == 0 && !moved.getAndSet(false)) {
            step = ENDING;
        } else {
            begin(step + 1);
        }
        return true;
    }

    private void begin(int next) {
        acted = 0;
        step = next;
    }

    private void wakeAll() {
        wakers.forEach(Runnable::run);
    }

    /** The step that the tasks of a chain are to do now; negative if it is another's turn. */
    int stepOf(int chain) {
        int now = step;
        return now != ENDING && now != RUNNING && now % extent.tasks().size() == chain ? now : RUNNING;
    }

    /** True if an operator is within the loop. A chain may go on behind it. */
    boolean has(String operator) {
        return extent.operators().contains(operator);
    }

    /** Time has ended for some of its chains. */
    boolean timeEnded() {
        return step != RUNNING;
    }

    /** Nothing is within the loop, and nothing more will be: its tasks may end. */
    public boolean ended() {
        return step == ENDING;
    }

    boolean cancelled() {
        return cancelled;
    }

    /** Counts records that are kept beyond a queue that leads back, or no longer are. */
    public void keep(long change) {
        if (kept.addAndGet(change) == 0 && change < 0) {
            wakeAll(); // those that take nothing from outside meanwhile
        }
    }

    /** True if records wait for room to be led back: nothing is to be taken from outside. */
    boolean full() {
        return kept.get() > 0;
    }

    /** True if more of them wait than may. */
    public boolean overfull() {
        return kept.get() > limit.get();
    }

    /** @param operator that leads records back */
    JobFailedException tooMany(String operator) {
        return new JobFailedException(
                "topology '" + extent.topology() + "', operator '" + operator + "': it leads back more records than '"
                        + extent.operators().get(0) + "' takes: " + kept.get()
                        + " wait beyond the queues, and the limit is " + limit
                        + "; lead fewer back than come in, or raise RunSettings.withFeedbackLimit",
                null);
    }

    /** @param operator that leads records back at its end */
    JobFailedException tooLate(String operator) {
        return new JobFailedException(
                "topology '" + extent.topology() + "', operator '" + operator
                        + "': what it emits when its input has ended leads back to an operator whose input has ended, too; emit it"
                        + " before, from a timer or a window, or lead it to an operator outside the loop",
                null);
    }

    void dropped() {
        dropped.incrementAndGet();
    }

    /** Records that clocks and threads emitted when the loop had ended already. */
    public long lost() {
        return dropped.get();
    }

    public LoopStats stats() {
        return new LoopStats(extent.operators(), Math.max(0, within.get()), Math.max(0, kept.get()), limit.get());
    }
}
