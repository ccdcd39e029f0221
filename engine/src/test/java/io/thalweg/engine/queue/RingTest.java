// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class RingTest {
    private final AtomicInteger producerWoken = new AtomicInteger();
    private final AtomicInteger consumerWoken = new AtomicInteger();

    private Ring ring(int batches, int records) {
        return new Ring(batches, records, true, false, producerWoken::incrementAndGet, consumerWoken::incrementAndGet);
    }

    private static boolean offer(Ring ring, long value) {
        Batch batch = ring.claim();
        if (batch == null) {
            return false;
        }
        batch.values[batch.size++] = value;
        ring.publish();
        return true;
    }

    private static Object take(Ring ring) {
        Batch batch = ring.peek();
        if (batch == null) {
            return "empty";
        }
        Object value = batch.values[0];
        ring.release();
        return String.valueOf(value);
    }

    @Test
    void shouldHandOverInOrderOverManyRounds() {
        Ring ring = ring(4, 1);
        long given = 0;
        long taken = 0;
        for (int round = 0; round < 100; round++) {
            for (int i = 0; i <= round % 4; i++) {
                assertThat(offer(ring, given++)).isTrue();
            }
            assertThat(ring.depth()).isEqualTo(round % 4 + 1);
            for (int i = 0; i <= round % 4; i++) {
                assertThat(take(ring)).isEqualTo(String.valueOf(taken++));
            }
        }
        assertThat(take(ring)).isEqualTo("empty");
        assertThat(producerWoken)
                .as("when half of 4 is room: each time that there were more")
                .hasValue(50);
        assertThat(consumerWoken).hasValue(250);
    }

    @Test
    void shouldSayNotNowWhenFullAndTakeMoreOnceThereIsRoom() {
        Ring ring = ring(2, 1);
        assertThat(offer(ring, 1)).isTrue();
        assertThat(offer(ring, 2)).isTrue();
        assertThat(offer(ring, 3)).isFalse();
        assertThat(offer(ring, 3)).isFalse();

        assertThat(take(ring)).isEqualTo("1");
        assertThat(offer(ring, 3)).isTrue();
        assertThat(offer(ring, 4)).isFalse();
        assertThat(take(ring)).isEqualTo("2");
        assertThat(take(ring)).isEqualTo("3");
        assertThat(take(ring)).isEqualTo("empty");
    }

    @Test
    void shouldGiveTheSameBatchUntilItIsReleased() {
        Ring ring = ring(2, 1);
        offer(ring, 1);
        assertThat(ring.peek()).isNotNull().isSameAs(ring.peek());
        assertThat(ring.claim()).isNotNull().isSameAs(ring.claim());
    }

    @Test
    void shouldHandOutCleanBatches() {
        Ring ring = ring(1, 2);
        Batch first = ring.claim();
        assertThat(first).isNotNull();
        first.size = 2;
        first.watermark = 5;
        first.end = true;
        first.cancelled = true;
        ring.publish();
        ring.release();

        Batch again = ring.claim();
        assertThat(again).isSameAs(first);
        assertThat(again.size).isZero();
        assertThat(again.watermark).isEqualTo(Batch.NO_WATERMARK);
        assertThat(again.end).isFalse();
        assertThat(again.cancelled).isFalse();
    }

    @Test
    void shouldFillArraysThatAreNewUnlessOneWasHardlyUsed() {
        Ring ring = ring(1, 64);
        Batch batch = ring.claim();
        Object[] first = batch.values;
        batch.size = 4;
        ring.publish();
        ring.release();
        assertThat(ring.claim().values).as("4 of 64 records").isSameAs(first);
        batch.size = 5;
        ring.publish();
        ring.release();
        assertThat(ring.claim().values).as("5 of 64 records").isNotSameAs(first).hasSize(64);
    }

    @Test
    void shouldLoseNothingBetweenTwoThreads() throws InterruptedException {
        int batches = 100_000;
        Ring ring = ring(8, 3);
        AtomicLong sum = new AtomicLong();
        AtomicInteger outOfOrder = new AtomicInteger();
        Thread consumer = new Thread(() -> {
            long expected = 0;
            for (int taken = 0; taken < batches; ) {
                Batch batch = ring.peek();
                if (batch == null) {
                    Thread.yield();
                    continue;
                }
                for (int i = 0; i < batch.size; i++) {
                    boolean right =
                            batch.values[i] instanceof Long value && value == expected && batch.times[i] == -expected;
                    outOfOrder.addAndGet(right ? 0 : 1);
                    sum.addAndGet(expected++);
                }
                ring.release();
                taken++;
            }
        });
        consumer.start();
        long next = 0;
        for (int given = 0; given < batches; ) {
            Batch batch = ring.claim();
            if (batch == null) {
                Thread.yield();
                continue;
            }
            for (; batch.size <= given % 3; batch.size++) {
                batch.values[batch.size] = next;
                batch.times[batch.size] = -next;
                next++;
            }
            ring.publish();
            given++;
        }
        consumer.join();

        assertThat(outOfOrder).hasValue(0);
        assertThat(sum).hasValue(next * (next - 1) / 2);
    }
}
