// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.work;

import java.util.List;

/**
 * Gathers the tasks of all workers on the first one, the lead, while there is little to do, and gives them back as soon as there
 * is more. Records then pass between tasks without waking another thread, which costs more than most records.
 *
 * <pre>
 *   spread:    worker 0: a c      worker 1: b d
 *   gathered:  worker 0: a c b d  worker 1: asleep until it gets b and d back, or they are done
 * </pre>
 *
 * The lead decides. Each worker moves its own tasks, between two rounds, so a task is called by one thread at a time.
 */
public final class Gathering {
    /** What the workers did is added up for this long before the tasks are gathered. */
    static final long WINDOW_NS = 1_000_000_000;

    /** Tasks are gathered if all workers together were busy for less than this part of the time of one. */
    static final double LITTLE = 0.4;

    /** A lead without an idle round for so long has too much to do. */
    static final long SATURATED_NS = 10_000_000;

    /**
     * Tasks that were given back sooner than they had been gathered are gathered later the next time, at most after so many windows.
     */
    static final int LONGEST_WAIT = 64;

    private final List<Worker> workers;
    private final Worker lead;
    private final long windowNs;
    private final double little;
    private final long saturatedNs;
    private volatile boolean gathered;
    private boolean leadEnded;

    // The lead's alone.
    private long waitNs;
    private long sinceNs;
    private long busyBeforeNs;
    private long busySinceNs;
    private boolean resting;

    private Gathering(List<Worker> workers, long nowNs, long windowNs, double little, long saturatedNs) {
        this.workers = List.copyOf(workers);
        this.windowNs = windowNs;
        this.little = little;
        this.saturatedNs = saturatedNs;
        lead = workers.get(0);
        waitNs = windowNs;
        sinceNs = nowNs;
    }

    /** Lets workers that have not started yet share their tasks. */
    public static void among(List<Worker> workers, long nowNs) {
        among(workers, nowNs, WINDOW_NS, LITTLE, SATURATED_NS);
    }

    static Gathering among(List<Worker> workers, long nowNs, long windowNs, double little, long saturatedNs) {
        Gathering gathering = new Gathering(workers, nowNs, windowNs, little, saturatedNs);
        int tasks = workers.stream().mapToInt(Worker::count).sum();
        workers.forEach(worker -> worker.join(gathering, tasks));
        return gathering;
    }

    boolean gathered() {
        return gathered;
    }

    /** On a worker's thread, after each round. */
    void afterRound(Worker worker, long nowNs, boolean busy) {
        if (worker != lead) {
            if (gathered && worker.hasTasks()) {
                giveToLead(worker);
            }
        } else if (!gathered) {
            if (nowNs - sinceNs >= waitNs) {
                lookBack(nowNs);
            }
        } else if (!busy) {
            resting = true;
        } else if (resting) {
            resting = false;
            busySinceNs = nowNs;
        } else if (nowNs - busySinceNs > saturatedNs) {
            giveBack(nowNs);
        }
    }

    private void lookBack(long nowNs) {
        long busyNs = workers.stream().mapToLong(Worker::busyNs).sum();
        boolean quiet = busyNs - busyBeforeNs < little * (nowNs - sinceNs);
        busyBeforeNs = busyNs;
        sinceNs = nowNs;
        if (quiet) {
            resting = true;
            gathered = true;
            workers.forEach(Worker::wake);
        }
    }

    private void giveToLead(Worker worker) {
        synchronized (this) {
            if (!gathered || leadEnded) {
                return;
            }
            worker.handTo(lead, task -> true);
        }
        lead.wake();
    }

    private void giveBack(long nowNs) {
        synchronized (this) {
            gathered = false;
            for (Worker worker : workers) {
                if (worker != lead) {
                    lead.handTo(worker, task -> task.waker().home() == worker);
                }
            }
        }
        workers.forEach(Worker::wake);
        waitNs = nowNs - sinceNs > waitNs ? windowNs : Math.min(2 * waitNs, LONGEST_WAIT * windowNs);
        busyBeforeNs = workers.stream().mapToLong(Worker::busyNs).sum();
        sinceNs = nowNs;
    }

    /** False once nothing is left to do for a worker without tasks, which then ends. */
    synchronized boolean needs(Worker worker) {
        boolean needed = worker.expectsTasks();
        if (!needed && worker == lead) {
            leadEnded = true;
            gathered = false;
        }
        return needed;
    }
}
