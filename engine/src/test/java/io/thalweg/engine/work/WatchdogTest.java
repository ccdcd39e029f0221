// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class WatchdogTest {
    private static final long MS = 1_000_000;

    private final AtomicLong nowNs = new AtomicLong();
    private final CountDownLatch inCall = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final List<String> told = new ArrayList<>();

    @AfterEach
    void letGo() {
        goOn.countDown();
    }

    @Test
    void shouldTellOnceWhereASlowCallIs() throws Exception {
        Watchdog dog = watch(new OneCall());
        dog.look();
        nowNs.addAndGet(999 * MS);
        dog.look();
        assertThat(told).isEmpty();
        nowNs.addAndGet(2 * MS);
        dog.look();
        dog.look();
        assertThat(told).hasSize(1);
    }

    @Test
    void shouldNotTakeAPauseOfTheProcessForASlowCall() throws Exception {
        Watchdog dog = watch(new OneCall());
        nowNs.addAndGet(5_000 * MS); // the dog slept too
        dog.look();
        assertThat(told).isEmpty();
    }

    @Test
    void shouldLetBlockingTasksBlock() throws Exception {
        OneCall task = new OneCall();
        task.blocking = true;
        Watchdog dog = watch(task);
        dog.look();
        nowNs.addAndGet(5_000 * MS);
        dog.look();
        assertThat(told).isEmpty();
    }

    @Test
    void shouldTellOfAnOpeningOnlyIfItTakesVeryLong_andNotAsASlowCall() throws Exception {
        OneCall task = new OneCall();
        task.opening = true;
        Watchdog dog = watch(task);
        dog.look();
        nowNs.addAndGet(9_999 * MS);
        dog.look();
        assertThat(told).isEmpty();
        nowNs.addAndGet(2 * MS);
        dog.look();
        dog.look();
        assertThat(told).hasSize(1).first().asString().startsWith("opening");
    }

    private Watchdog watch(OneCall task) throws InterruptedException {
        Worker worker = new Worker(
                List.of(new Worker.Scheduled(task, new Waker())), new NoCrew(), nowNs::get, new Backoff(0), true);
        new Thread(worker, "watched").start();
        inCall.await();
        return new Watchdog(List.of(worker), nowNs::get, new Watchdog.Listener() {
            @Override
            public void onSlowCall(Task slow, String where) {
                told.add("slow " + where);
            }

            @Override
            public void onLongOpening(Task slow, String where) {
                told.add("opening " + where);
            }
        });
    }

    private final class OneCall implements Task {
        private volatile boolean blocking;
        private volatile boolean opening;

        @Override
        public Turn call() throws InterruptedException {
            inCall.countDown();
            goOn.await();
            return Turn.DONE;
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
            return blocking;
        }

        @Override
        public boolean opening() {
            return opening;
        }
    }

    private static final class NoCrew implements Worker.Crew {
        @Override
        public void onFailure(@Nullable Task task, Throwable failure) {}

        @Override
        public boolean stopped() {
            return false;
        }

        @Override
        public void onDone(Task task) {}

        @Override
        public void moveOut(Worker.Scheduled scheduled) {}
    }
}
