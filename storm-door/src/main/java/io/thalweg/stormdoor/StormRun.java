// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.run.RunningJob;
import java.time.Duration;
import java.util.List;

/** A Storm topology that runs. Any thread may call. */
public final class StormRun {
    /** What bolts may take, once all spouts have ended, before they are left behind. */
    private static final Duration BOLTS = Duration.ofSeconds(5);

    private final Host host;
    private final RunningJob job;

    StormRun(Host host, RunningJob job) {
        this.host = host;
        this.job = job;
    }

    /** The job that runs it. */
    public RunningJob job() {
        return job;
    }

    /** What each component did so far, by its id. */
    public List<ComponentStats> stats() {
        return host.stats();
    }

    /** Tuples of spouts that are neither acked nor failed. */
    public long pending() {
        return host.pending();
    }

    /**
     * Tuples that came too late: which a thread of a bolt's own emitted after the end, or that were on a stream that leads back when the
     * topology ended. They are in {@code emitted} and {@code transferred} of their sender, and executed by nobody.
     */
    public long dropped() {
        return host.dropped();
    }

    /** Spouts are asked for tuples, as they are from the beginning. */
    public void activate() {
        host.activate(true);
    }

    /** Spouts are no longer asked for tuples. */
    public void deactivate() {
        host.activate(false);
    }

    /**
     * Ends the topology, and returns at once: spouts are deactivated; when all that they emitted with an id is acked, or has failed, or
     * after this time, they are closed; bolts execute what is on its way to them, and are cleaned up. What is on its way on a stream that
     * leads back is not executed.
     *
     * @param within for what is not acked yet
     */
    public void kill(Duration within) {
        host.stop(within.toNanos());
    }

    /**
     * Waits until the topology has ended, as it does after {@link #kill} or a failure.
     *
     * @throws io.thalweg.run.JobFailedException if a spout or bolt threw an exception
     */
    public void await() throws InterruptedException {
        try {
            job.await();
        } catch (RuntimeException | Error e) { // it has failed; whoever is interrupted leaves it running
            host.end();
            throw e;
        }
        host.end();
    }

    /**
     * Waits as {@link #await()} does, but not longer than this.
     *
     * @return whether it has ended
     */
    public boolean await(Duration atMost) throws InterruptedException {
        if (!job.await(atMost)) {
            return false;
        }
        await();
        return true;
    }

    /**
     * Kills it and waits. Spouts and bolts that do not come back from a call some seconds after that are left behind.
     *
     * @return false if some were
     */
    public boolean stop(Duration within) throws InterruptedException {
        return stop(within, BOLTS);
    }

    /** @param bolts how long they may take after that */
    boolean stop(Duration within, Duration bolts) throws InterruptedException {
        kill(within);
        if (await(within.plus(bolts))) {
            return true;
        }
        job.cancel();
        boolean ended = job.await(bolts);
        host.end();
        return ended;
    }
}
