// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Mode;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.Signal;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** A {@link SharedEmitter} between the threads of an operator and the one of its task. */
public final class SharedEmitterStress {
    private SharedEmitterStress() {}

    private static SharedEmitter emitter(int capacity, Runnable wakeUp) {
        return new SharedEmitter("", value -> {}, Map.of(), false, capacity, wakeUp, new SharedEmitter.Task() {
            @Override
            public SharedEmitter.Held hold() {
                throw new IllegalStateException();
            }

            @Override
            public void emitNow(SharedEmitter.Emission emission) {
                throw new IllegalStateException();
            }
        });
    }

    /** Two threads emit while the task takes: nothing is lost, and the task is woken for what it has not seen. */
    @JCStressTest
    @Outcome(
            id = {"[0-2], 2, 0", "[0-1], 2, 1"},
            expect = ACCEPTABLE,
            desc = "all is there; the task has seen it, or is woken")
    @Outcome(expect = FORBIDDEN, desc = "a record is lost, or nobody wakes the task")
    @State
    public static class TwoThreads {
        private volatile boolean sleeps;
        private volatile boolean woken;
        private final SharedEmitter emitter = emitter(8, () -> woken |= sleeps);
        private final Deque<SharedEmitter.Entry> taken = new ArrayDeque<>();

        @Actor
        public void one() {
            emitter.emit(1);
        }

        @Actor
        public void two() {
            emitter.emit(2);
        }

        @Actor
        public void task(III_Result seen) {
            sleeps = true;
            emitter.take(taken);
            seen.r1 = taken.size();
        }

        @Arbiter
        public void after(III_Result seen) {
            boolean wokenInTime = woken;
            emitter.take(taken);
            seen.r2 = taken.size();
            seen.r3 = seen.r1 < 2 && wokenInTime ? 1 : 0;
            if (seen.r1 < 2 && !wokenInTime) {
                seen.r3 = 2;
            }
        }
    }

    /** What was emitted through a record comes before the end of that record; after it, the thread is told. */
    @JCStressTest
    @Outcome(id = "0, 2", expect = ACCEPTABLE, desc = "emitted, then acked")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "acked, and the emission refused")
    @Outcome(expect = FORBIDDEN, desc = "emitted through a record that is no longer held")
    @State
    public static class Acking {
        private final SharedEmitter emitter = emitter(8, () -> {});
        private final SharedEmitter.Held held = emitter.new Held(0, 0, "", 0, 0, 0, 0, 0);

        @Actor
        public void emits(II_Result seen) {
            try {
                held.emit(1);
            } catch (IllegalStateException e) {
                seen.r1 = 1;
            }
        }

        @Actor
        public void acks() {
            held.ack();
        }

        @Arbiter
        public void after(II_Result seen) {
            Deque<SharedEmitter.Entry> taken = new ArrayDeque<>();
            emitter.take(taken);
            boolean ackLast = taken.peekLast() instanceof SharedEmitter.Settled;
            seen.r2 = ackLast ? taken.size() : -1;
        }
    }

    /** A thread that waits for room goes on when the task begins a call of the operator, which may be waiting for it. */
    @JCStressTest(Mode.Termination)
    @Outcome(id = "TERMINATED", expect = ACCEPTABLE, desc = "it went on")
    @Outcome(id = "STALE", expect = FORBIDDEN, desc = "it waits, and the task waits for it")
    @State
    public static class RoomWithinACall {
        private final SharedEmitter emitter = emitter(1, () -> {});

        public RoomWithinACall() {
            emitter.emit(1);
        }

        @Actor
        public void thread() {
            emitter.emit(2);
        }

        @Signal
        public void task() {
            emitter.enter();
        }
    }
}
