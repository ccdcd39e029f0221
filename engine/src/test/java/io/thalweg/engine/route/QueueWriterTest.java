// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.queue.Batch;
import io.thalweg.engine.queue.Ring;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class QueueWriterTest {
    private final Frame frame = new Frame((operator, record) -> {
        throw new AssertionError("none is bad");
    });

    /** What a batch brings, in the order in which it counts. */
    private static void take(Ring ring, List<String> taken) {
        Batch batch = ring.peek();
        if (batch == null) {
            return;
        }
        for (int i = 0; i < batch.size; i++) {
            taken.add(batch.values[i] + "@" + batch.times[i] + "/" + batch.stamps[i]);
        }
        if (batch.watermark != Batch.NO_WATERMARK) {
            taken.add("watermark " + batch.watermark);
        }
        if (batch.barrier != 0) {
            taken.add("barrier " + batch.barrier);
        }
        if (batch.end) {
            taken.add("end " + batch.cancelled);
        }
        ring.release();
    }

    /** All that was sent comes, once, in order, however full the queue is in between; and who sends hears that it is. */
    @ParameterizedTest
    @CsvSource({"1,1", "1,3", "2,1", "4,2", "8,5"})
    void shouldBringAllInOrder(int batches, int records) {
        long first = Long.getLong("thalweg.seed", new Random().nextLong());
        for (int round = 0; round < 100; round++) {
            long seed = first + round;
            try {
                compare(batches, records, new Random(seed));
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private void compare(int batches, int records, Random random) {
        frame.blocked = false;
        Ring ring = new Ring(batches, records, true, false, () -> {}, () -> {});
        QueueWriter writer = new QueueWriter(frame, ring);
        List<String> sent = new ArrayList<>();
        List<String> taken = new ArrayList<>();
        long count = 0;
        for (int step = 0; step < 300; step++) {
            boolean room = !frame.blocked;
            switch (random.nextInt(10)) {
                case 0, 1, 2, 3 -> { // a user's operator may go on even if there is no room
                    frame.time = step;
                    frame.stamp = step - 5L;
                    writer.send("r" + step);
                    sent.add("r" + step + "@" + step + "/" + (step - 5));
                    count++;
                }
                case 4, 5 -> take(ring, taken);
                case 6 -> writer.flush(random.nextBoolean());
                case 7 -> {
                    if (room) {
                        writer.watermark(step);
                        sent.add("watermark " + step);
                    }
                }
                case 8 -> {
                    if (room) {
                        writer.barrier(step + 1L);
                    } else {
                        writer.barrierBehind(step + 1L);
                    }
                    sent.add("barrier " + (step + 1));
                }
                default -> {
                    if (frame.blocked && writer.makeRoom()) {
                        frame.blocked = false;
                    }
                }
            }
            assertThat(ring.depth()).isLessThanOrEqualTo(batches);
            assertThat(frame.blocked).as("blocked").isEqualTo(!writer.open());
            assertThat(sent.subList(0, taken.size())).isEqualTo(taken);
        }
        while (!writer.makeRoom()) {
            take(ring, taken);
        }
        writer.end(true);
        sent.add("end true");
        for (int i = 0; i <= batches; i++) {
            take(ring, taken);
        }
        assertThat(taken).isEqualTo(sent);
        assertThat(writer.count).isEqualTo(count);
    }
}
