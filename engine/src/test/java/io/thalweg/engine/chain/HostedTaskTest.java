// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.engine.queue.Batch;
import io.thalweg.engine.stats.TaskCounters;
import io.thalweg.run.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HostedTaskTest {
    private final Frame frame = new Frame((operator, record) -> {
        throw new AssertionError("none is bad");
    });
    private final List<Long> stamps = new ArrayList<>();
    private final Receiver entry = value -> stamps.add(frame.stamp);

    @Test
    void shouldRaiseTheStampsOfAnInput_thatWasIdleWhileTimeWentOn() throws Exception {
        HostedTask task = new HostedTask(
                new TaskParts(
                        "task",
                        frame,
                        List.of(),
                        List.of(),
                        new TaskParts.Sinks(List.of(), 0, null),
                        false,
                        new TaskCounters(),
                        new Alone(),
                        Clock.system(),
                        new TaskParts.Saving(0, "task", null, null)),
                List.of(entry, entry));
        task.watermark(0, 10);
        task.watermark(1, Batch.IDLE);
        for (int turn = 0; turn < 3; turn++) { // it opens, waits for others, and lets time pass
            task.call();
        }

        task.record(0, "a", 15, 10, 0);
        task.record(1, "b", 5, 3, 0);
        task.record(1, "b", 15, 12, 0);
        assertThat(stamps).containsExactly(10L, 10L, 12L);
    }
}
