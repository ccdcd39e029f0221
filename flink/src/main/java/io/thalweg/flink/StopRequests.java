// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The requests to stop a job, of which one at most is under way: Flink fails a task that is to be stopped with a second savepoint. Any
 * thread may call.
 */
final class StopRequests {
    private volatile boolean cancelled;

    /** Guarded by this; null if the job is not being drained. */
    private @Nullable CompletableFuture<String> draining;

    /** Guarded by this; null if the job is not being stopped. */
    private @Nullable CompletableFuture<String> stopping;

    boolean cancelled() {
        return cancelled;
    }

    /** True while the job is being drained, and once it has been. */
    synchronized boolean draining() {
        return draining != null;
    }

    /**
     * Stops the job; nothing if it was asked to stop before.
     *
     * @param stop called once: now, or if the job is being drained, when that has failed; gives the savepoint that Flink is asked for,
     *     and fails if there is none
     */
    void cancel(Supplier<CompletableFuture<String>> stop) {
        CompletableFuture<String> before;
        synchronized (this) {
            if (cancelled) {
                return;
            }
            cancelled = true;
            before = draining;
        }
        if (before == null) {
            stop(stop);
            return;
        }
        var unused = before.whenComplete((savepoint, problem) -> {
            if (problem != null) {
                stop(stop);
            }
        });
    }

    private synchronized void stop(Supplier<CompletableFuture<String>> stop) {
        stopping = stop.get();
    }

    /**
     * Drains the job; nothing if it is being drained, or was asked to stop.
     *
     * @param request asks Flink for it
     * @param notDrained told why the job continues
     */
    void drain(Supplier<CompletableFuture<String>> request, Consumer<Throwable> notDrained) {
        CompletableFuture<String> asked;
        synchronized (this) {
            if (cancelled || draining != null) {
                return;
            }
            asked = request.get();
            draining = asked;
        }
        var unused = asked.whenComplete((savepoint, problem) -> {
            if (problem != null && goesOn()) {
                notDrained.accept(problem);
            }
        });
    }

    /** The job could not be drained: it may be asked again, unless it was asked to stop meanwhile. */
    private synchronized boolean goesOn() {
        draining = null;
        return !cancelled;
    }

    /**
     * Whether the job, which has finished, has done so because it was asked to: if it had ended by itself before Flink was asked, there is
     * no savepoint. Waits for Flink's answer; one that does not come counts as that.
     */
    boolean ended() throws InterruptedException {
        for (CompletableFuture<String> savepoint : asked()) {
            if (isTaken(savepoint)) {
                return true;
            }
        }
        return false;
    }

    private synchronized List<CompletableFuture<String>> asked() {
        List<CompletableFuture<String>> asked = new ArrayList<>();
        if (draining != null) {
            asked.add(draining);
        }
        if (stopping != null) {
            asked.add(stopping);
        }
        return asked;
    }

    private static boolean isTaken(CompletableFuture<String> savepoint) throws InterruptedException {
        try {
            Answer.of(savepoint.copy());
            return true;
        } catch (ExecutionException e) {
            return false;
        }
    }
}
