// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Whether a wake-up is ever lost. On one thread: something comes for a task right after it has looked, at each point of the
 * worker's way to sleep in turn. The worker would sleep for an hour, so the test hangs if it is lost.
 */
final class WorkerParkingTest {
    private static final long HOUR_NS = 3_600_000_000_000L;

    /** After which the worker is taken to be asleep. */
    private static final Duration ENOUGH = Duration.ofSeconds(60);

    private final AtomicLong nowNs = new AtomicLong(1);

    /** What happens right after a task has looked for input. */
    private enum Then {
        /** It had some. */
        BUSY,
        /** It had none, and something comes now. */
        COMES,
        /** It had none, and something comes twice. */
        COMES_TWICE,
        /** It had none, and knows that something will be due now. */
        DUE
    }

    private final class Scripted implements Task {
        private final List<Then> script;
        private final Runnable waker;
        private boolean due;
        final AtomicInteger calls = new AtomicInteger();

        Scripted(List<Then> script, Runnable waker) {
            this.script = script;
            this.waker = waker;
        }

        @Override
        public Turn call() {
            nowNs.incrementAndGet();
            if (calls.get() == script.size()) {
                return Turn.DONE;
            }
            Then then = script.get(calls.getAndIncrement());
            due = then == Then.DUE;
            if (then == Then.COMES || then == Then.COMES_TWICE) {
                waker.run();
            }
            if (then == Then.COMES_TWICE) {
                waker.run();
            }
            return then == Then.BUSY ? Turn.BUSY : Turn.WAITING;
        }

        @Override
        public long nextDueNs() {
            return due ? nowNs.get() : 0;
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

    private static final class Nobody implements Worker.Crew {
        final List<Throwable> failures = new ArrayList<>();

        @Override
        public void onFailure(@Nullable Task task, Throwable failure) {
            failures.add(failure);
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

    private void run(List<Then> script, long spinNs) {
        Waker waker = new Waker();
        Scripted task = new Scripted(script, waker);
        Nobody crew = new Nobody();
        Worker worker = new Worker(
                List.of(new Worker.Scheduled(task, waker)),
                crew,
                nowNs::get,
                new Backoff(spinNs, HOUR_NS, HOUR_NS),
                true);

        assertTimeoutPreemptively(ENOUGH, worker::run, () -> "asleep after call " + task.calls + " of " + script);

        assertThat(crew.failures).isEmpty();
        assertThat(task.calls).hasValue(script.size());
    }

    /** In the look before the worker says that it sleeps, in the one after, and in both. */
    @Test
    void shouldLookAgain_whereverSomethingComes() {
        run(List.of(Then.COMES), 0);
        run(List.of(Then.COMES, Then.COMES), 0);
        run(List.of(Then.BUSY, Then.COMES, Then.COMES_TWICE, Then.COMES), 0);
    }

    /** A wake-up that came while it was awake is no wake-up for the next sleep: it looks once more by itself. */
    @Test
    void shouldNotCountOnAWakeUp_thatWasUsedUp() {
        run(List.of(Then.COMES_TWICE, Then.BUSY, Then.COMES, Then.BUSY, Then.DUE, Then.COMES), 0);
    }

    @Test
    void shouldLookAgain_inAnyOrderOfThings() {
        long first = Long.getLong("thalweg.seed", new Random().nextLong());
        for (int round = 0; round < 200; round++) {
            Random random = new Random(first + round);
            List<Then> script = new ArrayList<>();
            for (int i = random.nextInt(30); i >= 0; i--) {
                script.add(Then.values()[random.nextInt(Then.values().length)]);
            }
            try {
                run(script, random.nextBoolean() ? 0 : random.nextInt(20));
            } catch (AssertionError e) {
                throw new AssertionError("seed " + (first + round) + ": " + e.getMessage(), e);
            }
        }
    }
}
