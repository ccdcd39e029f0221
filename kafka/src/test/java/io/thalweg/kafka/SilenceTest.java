// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.operator.ConnectionReports;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** With a clock of its own. */
final class SilenceTest {
    private final List<String> told = new ArrayList<>();
    private long nowNs = -1;
    private final Silence silence = new Silence(
            "h:9092",
            new ConnectionReports() {
                @Override
                public void lost(String system, String reason) {
                    told.add("lost " + system + ": " + reason);
                }

                @Override
                public void restored(String system) {
                    told.add("restored");
                }
            },
            Silence.PATIENCE);

    private void look(int times, boolean waiting, double bytes) {
        told.clear();
        for (int i = 0; i < times; i++) {
            nowNs += Duration.ofSeconds(1).toNanos();
            silence.look(nowNs, waiting, bytes);
        }
    }

    @Test
    void shouldTellIfNothingComesForFiveSeconds_thoughSomethingIsWaitedFor() {
        look(5, true, 100);
        assertThat(told).containsExactly("restored");
        look(1, true, 100);
        assertThat(told).containsExactly("lost Kafka at h:9092: no answer for 5 s");
        look(1, true, 101);
        assertThat(told).containsExactly("restored");
        look(4, true, 101);
        assertThat(told).isEmpty();
    }

    @Test
    void shouldNotMindSilence_ifNothingIsWaitedFor() {
        look(60, false, 100);
        look(4, true, 100);
        assertThat(told).isEmpty();
        look(1, true, 100);
        assertThat(told).hasSize(1);
    }

    @Test
    void shouldNotTakeItsOwnAbsenceForSilence() {
        look(2, true, 100);
        nowNs += Duration.ofHours(1).toNanos();
        look(5, true, 100);
        assertThat(told).as("the machine slept").isEmpty();
        look(1, true, 100);
        assertThat(told).hasSize(1);
    }
}
