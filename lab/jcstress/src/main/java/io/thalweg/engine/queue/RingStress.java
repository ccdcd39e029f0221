// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.queue;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.IJI_Result;

/** A {@link Ring} between its two threads. */
public final class RingStress {
    private static final int NOTHING = -1;

    private RingStress() {}

    private static Ring ring(int batches, Runnable producer, Runnable consumer) {
        return new Ring(batches, 2, true, true, producer, consumer);
    }

    private static void nobody() {}

    /** What the consumer sees of a batch is all of it, up to the end of input. */
    @JCStressTest
    @Outcome(id = "-1, 0, 0", expect = ACCEPTABLE, desc = "it is not there yet")
    @Outcome(id = "2, 70, 1", expect = ACCEPTABLE, desc = "all of it")
    @Outcome(expect = FORBIDDEN, desc = "a part of it")
    @State
    public static class Handover {
        private final Ring ring = ring(2, RingStress::nobody, RingStress::nobody);

        @Actor
        public void producer() {
            Batch batch = ring.claim();
            if (batch != null) {
                batch.values[0] = 7;
                batch.times[0] = 10;
                batch.values[1] = 17;
                batch.times[1] = 20;
                batch.size = 2;
                batch.watermark = 16;
                batch.end = true;
                ring.publish();
            }
        }

        @Actor
        public void consumer(IJI_Result seen) {
            Batch batch = ring.peek();
            if (batch == null) {
                seen.r1 = NOTHING;
                return;
            }
            seen.r1 = batch.size;
            long sum = batch.times[0] + batch.times[1] + batch.watermark;
            for (Object value : batch.values) {
                sum += value == null ? 0 : (Integer) value;
            }
            seen.r2 = sum;
            seen.r3 = batch.end ? 1 : 0;
        }
    }

    /** A batch is the consumer's own until it is released; then the producer empties it. */
    @JCStressTest
    @Outcome(id = "1, 7", expect = ACCEPTABLE, desc = "the record that was published")
    @Outcome(expect = FORBIDDEN, desc = "what the producer wrote next")
    @State
    public static class Recycling {
        private final Ring ring = ring(1, RingStress::nobody, RingStress::nobody);

        public Recycling() {
            Batch batch = ring.claim();
            if (batch == null) {
                throw new IllegalStateException("it is empty");
            }
            batch.values[0] = 7;
            batch.size = 1;
            ring.publish();
        }

        @Actor
        public void consumer(II_Result seen) {
            Batch batch = ring.peek();
            if (batch == null) {
                seen.r1 = NOTHING;
                return;
            }
            Object value = batch.values[0];
            seen.r1 = batch.size;
            seen.r2 = value == null ? NOTHING : (Integer) value;
            ring.release();
        }

        @Actor
        public void producer() {
            Batch batch = ring.claim();
            if (batch != null) {
                batch.values[0] = 8;
            }
        }
    }

    /** Batches come in their order, none twice, and the ring holds no more than it has room for. */
    @JCStressTest
    @Outcome(
            id = {"0, 0, 2", "0, 1, [23]", "1, 0, [23]", "1, 2, [234]"},
            expect = ACCEPTABLE,
            desc = "in order")
    @Outcome(expect = FORBIDDEN, desc = "out of order, or more than there is room for")
    @State
    public static class Order {
        private final Ring ring = ring(2, RingStress::nobody, RingStress::nobody);

        @Actor
        public void producer(III_Result seen) {
            int published = 0;
            for (int number = 1; number <= 4; number++) {
                Batch batch = ring.claim();
                if (batch == null) {
                    break;
                }
                batch.size = number;
                ring.publish();
                published++;
            }
            seen.r3 = published;
        }

        @Actor
        public void consumer(III_Result seen) {
            seen.r1 = next();
            seen.r2 = next();
        }

        private int next() {
            Batch batch = ring.peek();
            if (batch == null) {
                return 0;
            }
            int number = batch.size;
            ring.release();
            return number;
        }
    }

    /** A consumer that finds nothing after it has announced that it sleeps is woken. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "0, 1", "1, 1"},
            expect = ACCEPTABLE,
            desc = "it has seen the batch, or is woken")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "it sleeps, and nobody wakes it")
    @State
    public static class WakingTheConsumer {
        private volatile boolean sleeps;
        private boolean woken;
        private final Ring ring = ring(2, RingStress::nobody, () -> woken = sleeps);

        @Actor
        public void producer(II_Result seen) {
            if (ring.claim() != null) {
                ring.publish();
            }
            seen.r2 = woken ? 1 : 0;
        }

        @Actor
        public void consumer(II_Result seen) {
            sleeps = true;
            seen.r1 = ring.peek() == null ? 1 : 0;
        }
    }

    /** A producer that finds no room after it has announced that it sleeps is woken. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "0, 1", "1, 1"},
            expect = ACCEPTABLE,
            desc = "it has seen the room, or is woken")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "it sleeps, and nobody wakes it")
    @State
    public static class WakingTheProducer {
        private volatile boolean sleeps;
        private boolean woken;
        private final Ring ring = ring(2, () -> woken = sleeps, RingStress::nobody);

        public WakingTheProducer() {
            while (ring.claim() != null) {
                ring.publish();
            }
        }

        @Actor
        public void consumer(II_Result seen) {
            if (ring.peek() != null) {
                ring.release();
            }
            seen.r2 = woken ? 1 : 0;
        }

        @Actor
        public void producer(II_Result seen) {
            sleeps = true;
            seen.r1 = ring.claim() == null ? 1 : 0;
        }
    }
}
