// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.queue.Batch;
import io.thalweg.engine.queue.Ring;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SenderTest {
    private final Frame frame = new Frame((operator, record) -> {
        throw new AssertionError("none is bad");
    });

    /** Records end idleness where they arrive, also if the task was idle again before it could say anything else. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSayAgainThatTheTaskIsIdle_behindRecords(boolean counted) {
        Ring ring = new Ring(8, 8, true, false, () -> {}, () -> {});
        Sender sender = new QueueSender(frame, List.of(ring), 10);

        sender.watermark(Batch.IDLE);
        sender.watermark(Batch.IDLE);
        assertThat(watermarks(ring)).containsExactly(Batch.IDLE);

        sender.targets()[0].send("record");
        if (counted) {
            assertThat(sender.takeCount()).isEqualTo(1);
        }
        sender.watermark(Batch.IDLE);
        sender.watermark(Batch.IDLE);
        assertThat(watermarks(ring)).containsExactly(Batch.IDLE);
    }

    private static List<Long> watermarks(Ring ring) {
        List<Long> taken = new ArrayList<>();
        for (Batch batch = ring.peek(); batch != null; batch = ring.peek()) {
            taken.add(batch.watermark);
            ring.release();
        }
        return taken;
    }
}
