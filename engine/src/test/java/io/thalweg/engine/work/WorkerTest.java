// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.engine.queue.Batch;
import io.thalweg.engine.queue.Ring;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Workers that sleep for an hour unless they are woken: a wake-up that is lost hangs the test. */
@Timeout(300)
final class WorkerTest {
    private static final int RECORDS = 50_000;
    private static final long HOUR_NS = 3_600_000_000_000L;
    private static final int LONGEST_PAUSE = 2_000;

    private final List<Throwable> failures = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({"1, 0, 2000", "2, 0, 2000", "4, 2000, 0", "16, 2000, 2000", "16, 0, 2000"})
    void shouldWakeWhoFillsAQueue_andWhoEmptiesIt(int batches, int fillPause, int takePause) throws Exception {
        Waker filling = new Waker();
        Waker taking = new Waker();
        Ring ring = new Ring(batches, 1, false, false, filling, taking);
        Task fill = new Filling(ring, fillPause);
        Taking take = new Taking(() -> next(ring), takePause);

        run(new Worker.Scheduled(fill, filling), new Worker.Scheduled(take, taking));

        assertThat(failures).isEmpty();
        assertThat(take.sum).isEqualTo((RECORDS - 1L) * RECORDS / 2);
    }

    private static Long next(Ring ring) {
        Batch batch = ring.peek();
        Long value = batch == null ? Long.valueOf(-1) : (Long) batch.values[0];
        if (batch != null) {
            ring.release();
        }
        return value;
    }

    @Test
    void shouldBeWokenByWhoeverPushesRecords() throws Exception {
        Queue<Long> queue = new ConcurrentLinkedQueue<>();
        Waker waker = new Waker();
        Taking take = new Taking(
                () -> {
                    Long next = queue.poll();
                    return next == null ? -1 : next;
                },
                0);
        SplittableRandom random = new SplittableRandom(1);
        Thread pusher = new Thread(() -> {
            for (long record = 0; record < RECORDS; record++) {
                spin(random.nextInt(LONGEST_PAUSE));
                queue.add(record);
                VarHandle.fullFence();
                waker.run();
            }
        });
        pusher.start();

        run(new Worker.Scheduled(take, waker));
        pusher.join();

        assertThat(failures).isEmpty();
        assertThat(take.sum).isEqualTo((RECORDS - 1L) * RECORDS / 2);
    }

    @ParameterizedTest
    @CsvSource({"1, 3", "29, 3", "31, 0"})
    void shouldMoveOutATask_atItsThirdSlowTurnWithinAMinute(int secondsApart, int movedOutAfter) {
        AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - HOUR_NS); // the clock's origin is arbitrary
        Told told = new Told();
        Bare slow = new Bare(0) {
            @Override
            public Turn call() {
                nowNs.addAndGet(100_000_001);
                return Turn.BUSY;
            }
        };
        Bare quick = new Bare(0) {
            @Override
            public Turn call() {
                nowNs.addAndGet(100_000_000);
                return Turn.BUSY;
            }
        };
        List<Worker.Scheduled> both =
                List.of(new Worker.Scheduled(slow, new Waker()), new Worker.Scheduled(quick, new Waker()));
        Worker worker = new Worker(both, told, nowNs::get, new Backoff(0), true);
        nowNs.addAndGet(2_000_000_000); // code is cold in the first second

        int rounds = 0;
        while (told.movedOut.isEmpty() && rounds < 20) {
            worker.round();
            rounds++;
            nowNs.addAndGet(secondsApart * 1_000_000_000L);
        }

        assertThat(told.movedOut).hasSize(movedOutAfter == 0 ? 0 : 1).allMatch(task -> task == slow);
        assertThat(rounds).isEqualTo(movedOutAfter == 0 ? 20 : movedOutAfter);
    }

    private void run(Worker.Scheduled... scheduled) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (Worker.Scheduled each : scheduled) {
            Backoff backoff = new Backoff(0, HOUR_NS, HOUR_NS);
            threads.add(new Thread(new Worker(List.of(each), new Told(), System::nanoTime, backoff, true)));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }

    private abstract static class Bare implements Task {
        private final SplittableRandom random = new SplittableRandom(7);
        private final int longestPause;

        Bare(int longestPause) {
            this.longestPause = longestPause;
        }

        void pause() {
            if (longestPause > 0) {
                spin(random.nextInt(longestPause));
            }
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

    private static final class Filling extends Bare {
        private final Ring ring;
        private long next;

        Filling(Ring ring, int longestPause) {
            super(longestPause);
            this.ring = ring;
        }

        @Override
        public Turn call() {
            pause();
            Batch batch = ring.claim();
            if (batch == null) {
                return Turn.HELD_BACK;
            }
            batch.values[0] = next++;
            batch.size = 1;
            ring.publish();
            return next == RECORDS ? Turn.DONE : Turn.BUSY;
        }
    }

    private interface Input {
        /** A record, or -1 if there is none now. */
        long next();
    }

    private static final class Taking extends Bare {
        private final Input input;
        private long taken;
        long sum;

        Taking(Input input, int longestPause) {
            super(longestPause);
            this.input = input;
        }

        @Override
        public Turn call() {
            long value = input.next();
            if (value < 0) {
                return Turn.WAITING;
            }
            pause();
            sum += value;
            taken++;
            return taken == RECORDS ? Turn.DONE : Turn.BUSY;
        }
    }

    private final class Told implements Worker.Crew {
        final List<Task> movedOut = new ArrayList<>();

        @Override
        public void onFailure(@Nullable Task task, Throwable failure) {
            synchronized (failures) {
                failures.add(failure);
            }
        }

        @Override
        public boolean stopped() {
            return false;
        }

        @Override
        public void onDone(Task task) {}

        @Override
        public void moveOut(Worker.Scheduled scheduled) {
            movedOut.add(scheduled.task());
        }
    }
}
