// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.engine.chain.ChainTask;
import io.thalweg.engine.plan.Build;
import io.thalweg.engine.work.Backoff;
import io.thalweg.engine.work.Gathering;
import io.thalweg.engine.work.Pieces;
import io.thalweg.engine.work.Task;
import io.thalweg.engine.work.Watchdog;
import io.thalweg.engine.work.Worker;
import io.thalweg.run.Idle;
import io.thalweg.run.RunSettings;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a job: a worker for each core, one for each task that may block, and a watchdog. A job without threads
 * is stepped.
 */
final class JobThreads {
    private final String topology;
    private final RunSettings settings;
    private final Worker.Crew crew;

    /** What workers do for sources that decode in pieces; null if there is only one thread. */
    private final @Nullable Pieces pieces;

    private @Nullable Worker stepped;
    private volatile @Nullable Thread watchdog;

    JobThreads(String topology, RunSettings settings, Worker.Crew crew) {
        this.topology = topology;
        this.settings = settings;
        this.crew = crew;
        pieces = settings.threads() > 1 ? new Pieces(settings.threads()) : null;
    }

    @Nullable Pieces pieces() {
        return pieces;
    }

    /** @param onLook called periodically by the watchdog */
    void start(List<Build.Built> tasks, Runnable onLook) {
        List<Worker.Scheduled> shared = new ArrayList<>();
        for (Build.Built built : tasks) {
            Worker.Scheduled scheduled = new Worker.Scheduled(built.task(), built.waker());
            if (settings.threads() > 0 && built.task().blocking()) {
                moveOut(scheduled);
            } else {
                shared.add(scheduled);
            }
        }
        share(shared, onLook);
    }

    private void share(List<Worker.Scheduled> shared, Runnable onLook) {
        if (settings.threads() == 0) {
            stepped = worker(shared, false);
            return;
        }
        boolean decode = pieces != null && pieces.wanted();
        int count = decode ? settings.threads() : Math.min(settings.threads(), shared.size());
        List<Worker.Scheduled> decoding = decode && pieces != null ? pieces.tasks(count) : List.of();
        List<Worker> workers = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            List<Worker.Scheduled> own = new ArrayList<>();
            for (int i = number; i < shared.size(); i += count) {
                own.add(shared.get(i));
            }
            if (decode) {
                own.add(decoding.get(number));
            }
            workers.add(worker(own, true));
        }
        if (count > 1 && settings.idle() != Idle.SPIN) {
            Gathering.among(workers, settings.clock().nowNs());
        }
        watch(workers, onLook);
        for (int number = 0; number < count; number++) {
            launch(workers.get(number), "worker-" + number);
        }
    }

    private void watch(List<Worker> workers, Runnable onLook) {
        Watchdog dog = new Watchdog(workers, settings.clock(), new Watchdog.Listener() {
            @Override
            public void onSlowCall(Task task, String where) {
                settings.slowCalls().slow(topology, nameOf(task), where);
            }

            @Override
            public void onLongOpening(Task task, String where) {
                settings.slowCalls().opening(topology, nameOf(task), where);
            }

            @Override
            public void onLook() {
                onLook.run();
            }
        });
        Thread thread = new Thread(dog, "thalweg-" + topology + "-watchdog");
        thread.setDaemon(true);
        watchdog = thread;
        thread.start();
    }

    /** Gives a task a thread of its own. */
    void moveOut(Worker.Scheduled scheduled) {
        launch(worker(List.of(scheduled), false), nameOf(scheduled.task()));
    }

    private Worker worker(List<Worker.Scheduled> scheduled, boolean sharesThread) {
        return new Worker(
                scheduled, crew, settings.clock(), new Backoff(settings.idle().spinNs()), sharesThread);
    }

    private void launch(Worker worker, String name) {
        new Thread(worker, "thalweg-" + topology + "-" + name).start();
    }

    static String nameOf(@Nullable Task task) {
        return task instanceof ChainTask chain ? chain.name() : task instanceof Pieces.Doing ? "decoding" : "";
    }

    /** Gives every task one turn; true if one of them did any work. */
    boolean step() {
        Worker worker = stepped;
        if (worker == null) {
            throw new IllegalStateException("this job runs on threads; only one with 0 threads is stepped");
        }
        return !worker.isEmpty() && worker.round();
    }

    /** All tasks are done. */
    void end() {
        Thread dog = watchdog;
        if (dog != null) {
            dog.interrupt();
        }
        if (pieces != null) {
            pieces.close();
        }
    }
}
