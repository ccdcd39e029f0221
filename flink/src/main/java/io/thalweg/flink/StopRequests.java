// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import java.util.concurrent.CompletableFuture;
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
     * @param stop called once: now, or if the job is being drained, when that has failed
     */
    void cancel(Runnable stop) {
        CompletableFuture<String> before;
        synchronized (this) {
            if (cancelled) {
                return;
            }
            cancelled = true;
            before = draining;
        }
        if (before == null) {
            stop.run();
            return;
        }
        var unused = before.whenComplete((savepoint, problem) -> {
            if (problem != null) {
                stop.run();
            }
        });
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
}
