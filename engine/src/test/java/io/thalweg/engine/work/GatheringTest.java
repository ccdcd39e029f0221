// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.engine.queue.Batch;
import io.thalweg.engine.queue.Ring;
import io.thalweg.run.Clock;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stepped by a clock that the test sets; and on threads, with tasks that move to and fro all the time. */
@Timeout(300)
final class GatheringTest {
    private static final long HOUR_NS = 3_600_000_000_000L;
    private static final long MS = 1_000_000;
    private static final long LONGEST_WAIT_NS = Gathering.LONGEST_WAIT * Gathering.WINDOW_NS;
    private static final int RECORDS = 50_000;
    private static final int STAGES = 6;

    private final AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - 10 * HOUR_NS); // the clock's origin is arbitrary
    private final Told told = new Told();

    private final Paced first = new Paced();
    private final Paced second = new Paced();
    private final Paced third = new Paced();

    private Worker lead = worker();
    private Worker other = worker();
    private Gathering gathering = gather();

    private Worker worker(Task... tasks) {
        List<Worker.Scheduled> scheduled = new ArrayList<>();
        for (Task task : tasks) {
            scheduled.add(scheduled(task));
        }
        return new Worker(scheduled, told, nowNs::get, new Backoff(0), true);
    }

    private static Worker.Scheduled scheduled(Task task) {
        return new Worker.Scheduled(task, new Waker());
    }

    private Gathering gather() {
        lead = worker(first);
        other = worker(second, third);
        return Gathering.among(
                List.of(lead, other), nowNs.get(), Gathering.WINDOW_NS, Gathering.LITTLE, Gathering.SATURATED_NS);
    }

    private void round(Worker worker) {
        boolean busy = worker.round();
        gathering.afterRound(worker, nowNs.get(), busy);
    }

    /** Rounds of each worker every so often, for so long. */
    private void rounds(long everyNs, long forNs) {
        long endNs = nowNs.get() + forNs;
        while (nowNs.get() < endNs) {
            long before = nowNs.get();
            round(lead);
            round(lead);
            round(other);
            nowNs.set(Math.max(nowNs.get(), before + everyNs));
        }
    }

    @Test
    void shouldGatherTasks_onceThereWasLittleToDoForAWhile() {
        rounds(MS, Gathering.WINDOW_NS - 5 * MS);
        assertThat(gathering.gathered()).isFalse();
        assertThat(other.hasTasks()).isTrue();

        rounds(MS, 10 * MS);
        assertThat(gathering.gathered()).isTrue();
        assertThat(other.hasTasks()).isFalse();

        int before = third.calls;
        round(other);
        assertThat(third.calls).isEqualTo(before);
        round(lead);
        assertThat(third.calls).isEqualTo(before + 1);
    }

    @Test
    void shouldLeaveTasksWhereTheyAre_whileTheyAreBusyTogether() {
        first.tookNs = second.tookNs = 21 * MS / 100; // 0.42 of one thread
        rounds(MS, 5 * Gathering.WINDOW_NS);
        assertThat(gathering.gathered()).isFalse();

        second.tookNs = 17 * MS / 100; // 0.38
        rounds(MS, 2 * Gathering.WINDOW_NS);
        assertThat(gathering.gathered()).isTrue();
    }

    @Test
    void shouldGiveTasksBack_whenTheLeadDoesNotRestAnyMore() {
        rounds(MS, Gathering.WINDOW_NS + 2 * MS);
        assertThat(other.hasTasks()).isFalse();

        second.tookNs = MS;
        rounds(MS, Gathering.SATURATED_NS - 2 * MS);
        assertThat(gathering.gathered()).isTrue();
        rounds(MS, 5 * MS);
        assertThat(gathering.gathered()).isFalse();

        int before = second.calls;
        round(lead);
        assertThat(second.calls).isEqualTo(before);
        round(other);
        assertThat(second.calls).isEqualTo(before + 1);
        assertThat(other.hasTasks()).isTrue();
    }

    @Test
    void shouldKeepThemTogether_whenThereIsSomethingToDoAfterALongRest() {
        rounds(MS, Gathering.WINDOW_NS + 2 * MS);

        second.tookNs = MS / 2;
        for (int i = 0; i < 100; i++) {
            nowNs.addAndGet(2 * Gathering.SATURATED_NS);
            round(lead);
            round(lead);
        }
        assertThat(gathering.gathered()).isTrue();
    }

    @Test
    void shouldWaitLongerEachTime_ifTasksHadToBeGivenBackSoon() {
        for (long wait = Gathering.WINDOW_NS; wait < 2 * LONGEST_WAIT_NS; wait *= 2) {
            rounds(10 * MS, Math.min(wait, LONGEST_WAIT_NS) - 30 * MS);
            assertThat(gathering.gathered()).isFalse();
            rounds(10 * MS, 60 * MS);
            assertThat(gathering.gathered()).isTrue();

            second.tookNs = MS;
            rounds(MS, Gathering.SATURATED_NS + 2 * MS);
            assertThat(gathering.gathered()).isFalse();
            second.tookNs = 0;
        }
        rounds(10 * MS, LONGEST_WAIT_NS + 60 * MS);
        assertThat(gathering.gathered()).isTrue();
        rounds(10 * MS, LONGEST_WAIT_NS); // this time they stay as long

        second.tookNs = MS;
        rounds(MS, Gathering.SATURATED_NS + 2 * MS);
        second.tookNs = 0;
        rounds(10 * MS, Gathering.WINDOW_NS + 60 * MS);
        assertThat(gathering.gathered()).isTrue();
    }

    @Test
    void shouldEndAWorker_onceItsTasksAreDoneElsewhere() {
        rounds(MS, Gathering.WINDOW_NS + 2 * MS);
        assertThat(gathering.needs(other)).isTrue();

        second.done = true;
        third.done = true;
        round(lead);
        assertThat(gathering.needs(other)).isFalse();
        assertThat(lead.hasTasks()).isTrue();

        first.done = true;
        round(lead);
        assertThat(gathering.needs(lead)).isFalse();
        assertThat(told.done.get()).isEqualTo(3);
    }

    @Test
    void shouldKeepItsTasks_ifTheLeadHasEnded() {
        first.done = true;
        round(lead);
        assertThat(gathering.needs(lead)).isFalse();
        nowNs.addAndGet(10 * Gathering.WINDOW_NS);
        round(other);

        assertThat(other.hasTasks()).isTrue();
    }

    @Test
    void shouldAbandonTasks_whoeverHasThem() {
        rounds(MS, Gathering.WINDOW_NS);
        while (!gathering.gathered()) {
            round(lead);
            nowNs.addAndGet(MS);
        }
        round(other); // on their way
        told.stopped = true;
        assertThat(other.round()).isFalse();
        round(lead);

        assertThat(List.of(first, second, third)).allMatch(task -> task.abandoned == 1);
        assertThat(gathering.needs(other)).isFalse();
        assertThat(told.done.get()).isEqualTo(3);
    }

    /** At the end of a job its state must be garbage, so that there is memory to say that there was too little. */
    @Test
    void shouldNotHoldTasks_thatAreDone() {
        WeakReference<Task> task = roundsUntilDone();
        nowNs.addAndGet(Gathering.WINDOW_NS);
        round(lead);

        for (int tries = 0; tries < 100 && task.get() != null; tries++) {
            System.gc();
        }
        assertThat(task.get()).isNull();
        assertThat(gathering.needs(other)).isFalse();
    }

    private WeakReference<Task> roundsUntilDone() {
        Paced only = new Paced();
        lead = worker(first);
        other = worker(only);
        gathering = Gathering.among(
                List.of(lead, other), nowNs.get(), Gathering.WINDOW_NS, Gathering.LITTLE, Gathering.SATURATED_NS);
        rounds(MS, Gathering.WINDOW_NS + 2 * MS);
        only.done = true;
        round(lead);
        return new WeakReference<>(only);
    }

    /** It would end otherwise, and what the lead gives back to it would never be called again. */
    @Test
    void shouldFailTheJob_ifAWorkerFailsWhoseTasksAreElsewhere() throws Exception {
        lead = new Worker(List.of(scheduled(first)), told, System::nanoTime, new Backoff(0), true);
        AtomicReference<Worker> failing = new AtomicReference<>(lead);
        Clock clock = () -> {
            Worker worker = failing.get();
            if (worker != lead && !worker.hasTasks()) {
                failing.set(lead);
                throw new OutOfMemoryError("as if");
            }
            return System.nanoTime();
        };
        other = new Worker(List.of(scheduled(second)), told, clock, new Backoff(0), true);
        failing.set(other);
        Gathering.among(List.of(lead, other), System.nanoTime(), 20_000, 1e9, HOUR_NS);
        Thread ofLead = new Thread(lead);
        Thread ofOther = new Thread(other);
        ofLead.start();
        ofOther.start();
        ofOther.join();
        told.stopped = true;
        ofLead.join();

        assertThat(told.failures).hasSize(1).first().isInstanceOf(OutOfMemoryError.class);
        assertThat(List.of(first, second)).allMatch(task -> task.abandoned == 1);
    }

    /** Workers that sleep for an hour unless they are woken, and never stay gathered or spread for long. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void shouldLoseNoWakeUp_whileTasksMove(int count) throws Exception {
        long seed = Long.getLong("thalweg.seed", new Random().nextLong());
        List<Waker> wakers = Stream.generate(Waker::new).limit(STAGES).toList();
        List<List<Worker.Scheduled>> own = Stream.<List<Worker.Scheduled>>generate(ArrayList::new)
                .limit(count)
                .toList();
        AtomicLong sum = new AtomicLong();
        Ring in = null;
        for (int stage = 0; stage < STAGES; stage++) {
            Waker waker = wakers.get(stage);
            Ring out = stage == STAGES - 1 ? null : new Ring(2, 1, false, false, waker, wakers.get(stage + 1));
            own.get(stage % count)
                    .add(new Worker.Scheduled(new Passing(in, out, sum, new Random(seed + stage)), waker));
            in = out;
        }
        List<Worker> workers = own.stream()
                .map(tasks -> new Worker(tasks, told, System::nanoTime, new Backoff(0, HOUR_NS, HOUR_NS), true))
                .toList();
        Gathering gathering = Gathering.among(workers, System.nanoTime(), 20_000, 1e9, 20_000);
        List<Thread> threads = workers.stream().map(Thread::new).toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(told.failures).as("seed " + seed).isEmpty();
        assertThat(sum.get()).as("seed " + seed).isEqualTo((RECORDS - 1L) * RECORDS / 2);
        assertThat(told.done.get()).isEqualTo(STAGES);
        assertThat(workers).noneMatch(gathering::needs);
    }

    private abstract static class Bare implements Task {
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

    /** Has something to do each millisecond, which takes some time by the test's clock. */
    private final class Paced extends Bare {
        private long tookNs;
        private boolean done;
        private long dueNs = nowNs.get();
        private int calls;
        private int abandoned;

        @Override
        public Turn call() {
            calls++;
            if (done) {
                return Turn.DONE;
            }
            if (tookNs == 0 || nowNs.get() < dueNs) {
                return Turn.WAITING;
            }
            dueNs = nowNs.get() + MS;
            nowNs.addAndGet(tookNs);
            return Turn.BUSY;
        }

        @Override
        public void abandon() {
            abandoned++;
        }
    }

    /** Hands on what comes, one record a turn; makes it if nobody is before it, and sums it up if nobody is behind it. */
    private static final class Passing extends Bare {
        private final @Nullable Ring in;
        private final @Nullable Ring out;
        private final AtomicLong sum;
        private final Random random;
        private long passed;

        Passing(@Nullable Ring in, @Nullable Ring out, AtomicLong sum, Random random) {
            this.in = in;
            this.out = out;
            this.sum = sum;
            this.random = random;
        }

        @Override
        public Turn call() {
            Batch from = in == null ? null : in.peek();
            if (in != null && from == null) {
                return Turn.WAITING;
            }
            for (int spins = random.nextInt(300); spins > 0; spins--) {
                Thread.onSpinWait();
            }
            Long record = from == null ? Long.valueOf(passed) : (Long) from.values[0];
            if (out == null) {
                sum.addAndGet(record);
            } else {
                Batch to = out.claim();
                if (to == null) {
                    return Turn.HELD_BACK;
                }
                to.values[0] = record;
                to.size = 1;
                out.publish();
            }
            if (in != null) {
                in.release();
            }
            return ++passed == RECORDS ? Turn.DONE : Turn.BUSY;
        }
    }

    private static final class Told implements Worker.Crew {
        final List<Throwable> failures = new CopyOnWriteArrayList<>();
        final AtomicInteger done = new AtomicInteger();
        volatile boolean stopped;

        @Override
        public void onFailure(@Nullable Task task, Throwable failure) {
            failures.add(failure);
            stopped = true;
        }

        @Override
        public boolean stopped() {
            return stopped;
        }

        @Override
        public void onDone(Task task) {
            done.incrementAndGet();
        }

        @Override
        public void moveOut(Worker.Scheduled scheduled) {}
    }
}
