// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.run.RunningJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A Storm topology that runs. Any thread may call. */
public final class StormRun {
    /** What bolts may take, once all spouts have ended, before they are left behind. */
    private static final Duration BOLTS = Duration.ofSeconds(5);

    private final Host host;
    private final RunningJob job;
    private final Path scratch;
    private boolean over;

    StormRun(Host host, RunningJob job, Path scratch) {
        this.host = host;
        this.job = job;
        this.scratch = scratch;
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
        } finally {
            end();
        }
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
     * Kills it and waits. Bolts that do not come back from a call some seconds after all spouts have ended are left behind.
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
        end();
        return ended;
    }

    private synchronized void end() {
        if (over) {
            return;
        }
        over = true;
        host.end();
        delete(scratch);
    }

    static void delete(Path scratch) {
        try (Stream<Path> files = Files.walk(scratch)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            scratch.toFile().deleteOnExit(); // a child still writes there
        }
    }
}
