// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.work;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.thalweg.run.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A {@link Worker} that is about to park, and a thread that wakes it. */
public final class WakeUpStress {
    private static final long SLEEP_NS = 20_000_000_000L;
    private static final long TOO_LONG_NS = SLEEP_NS / 2;

    private WakeUpStress() {}

    /** A task that is done when it is told to. */
    private static final class Waiting implements Task {
        private volatile boolean told;

        @Override
        public Turn call() {
            return told ? Turn.DONE : Turn.WAITING;
        }

        @Override
        public void abandon() {}

        @Override
        public void onTurn(Turn turn, long tookNs) {}

        @Override
        public void onRest(long restedNs) {}

        @Override
        public void onSlowTurn() {}

        @Override
        public boolean blocking() {
            return false;
        }
    }

    private static final class NoCrew implements Worker.Crew {
        @Override
        public void onFailure(@Nullable Task task, Throwable failure) {
            throw new IllegalStateException(failure);
        }

        @Override
        public boolean stopped() {
            return false;
        }

        @Override
        public void onDone(Task task) {}

        @Override
        public void moveOut(Worker.Scheduled scheduled) {}
    }

    /** What is done for a task and followed by a wake-up is seen at once, though the worker sleeps for long. */
    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "it was woken, or did not sleep")
    @Outcome(id = "1", expect = FORBIDDEN, desc = "it slept on")
    @State
    public static class Parking {
        private final Waiting task = new Waiting();
        private final Waker waker = new Waker();
        private final Worker worker = new Worker(
                List.of(new Worker.Scheduled(task, waker)),
                new NoCrew(),
                Clock.system(),
                new Backoff(0, SLEEP_NS, SLEEP_NS),
                true);

        @Actor
        public void worker(I_Result slept) {
            long beganNs = System.nanoTime();
            worker.run();
            slept.r1 = System.nanoTime() - beganNs > TOO_LONG_NS ? 1 : 0;
        }

        @Actor
        public void other() {
            task.told = true;
            waker.run();
        }
    }
}
