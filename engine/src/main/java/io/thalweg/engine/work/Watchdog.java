// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.work;

import io.thalweg.run.Clock;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds calls that are keeping a worker's thread for too long, and reports where in the code they are. */
public final class Watchdog implements Runnable {
    private static final long LOOK_EVERY_MS = 100;

    /** Shorter ones are only counted after they return; on a busy machine a thread may just wait for its core. */
    static final long STUCK_NS = 1_000_000_000;

    /** An opening delays the start of the job and nothing else, so only one that takes very long is told. */
    static final long LONG_OPENING_NS = 10_000_000_000L;

    /** Notified of the first such call of each task, on the watchdog's thread. */
    public interface Listener {
        /** @param where class, method, file and line, as in a stack trace; empty if the call has returned meanwhile */
        void onSlowCall(Task task, String where);

        /**
         * A task has not opened for {@link #LONG_OPENING_NS}.
         *
         * @param where as of a call
         */
        void onLongOpening(Task task, String where);

        /** Called at each look, for periodic work. */
        default void onLook() {}
    }

    private final List<Worker> workers;
    private final Clock clock;
    private final Listener listener;
    private final Set<Task> reported = new HashSet<>();
    private final Set<Task> reportedOpenings = new HashSet<>();

    /** The calls seen at the last look: a call must be seen twice, so that a pause of the whole process (GC) does not count. */
    private Set<Worker.Held> seen = Set.of();

    public Watchdog(List<Worker> workers, Clock clock, Listener listener) {
        this.workers = List.copyOf(workers);
        this.clock = clock;
        this.listener = listener;
    }

    /** Looks periodically until it is interrupted. */
    @Override
    public void run() {
        try {
            while (true) {
                Thread.sleep(LOOK_EVERY_MS);
                lookIfThereIsMemory();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void lookIfThereIsMemory() {
        try {
            look();
            listener.onLook();
        } catch (OutOfMemoryError e) {
            seen = Set.of(); // the workers will notice and report it, too
        }
    }

    void look() {
        Set<Worker.Held> now = new HashSet<>();
        for (Worker worker : workers) {
            Worker.Held held = worker.held();
            if (held == null) {
                continue;
            }
            now.add(held);
            if (seen.contains(held)) {
                judge(held, clock.nowNs() - held.sinceNs());
            }
        }
        seen = now;
    }

    private void judge(Worker.Held held, long heldNs) {
        Task task = held.task();
        if (task.opening()) {
            if (heldNs > LONG_OPENING_NS && reportedOpenings.add(task)) {
                listener.onLongOpening(task, where(held.thread()));
            }
        } else if (heldNs > STUCK_NS && !task.blocking() && reported.add(task)) {
            listener.onSlowCall(task, where(held.thread()));
        }
    }

    /** The innermost stack frame that is neither Thalweg's nor the JDK's. */
    private static String where(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .filter(frame -> !frame.getClassName().startsWith("io.thalweg.")
                        && (frame.getModuleName() == null
                                || !frame.getModuleName().startsWith("j")))
                .findFirst()
                .map(frame -> frame.getClassName() + "." + frame.getMethodName() + "(" + frame.getFileName() + ":"
                        + frame.getLineNumber() + ")")
                .orElse("");
    }
}
