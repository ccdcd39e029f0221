// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.operator.ConnectionReports;
import io.thalweg.api.stats.ConnectionStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LostConnectionsTest {
    private static final String SYSTEM = "Kafka at h:9092";

    private final List<String> lines = new ArrayList<>();
    private long nowNs;
    private final LostConnections lost = new LostConnections(() -> nowNs, lines::add);

    private void pass(int seconds) {
        nowNs += Duration.ofSeconds(seconds).toNanos();
    }

    private static long seconds(int count) {
        return Duration.ofSeconds(count).toNanos();
    }

    private ConnectionStats of(int task) {
        List<ConnectionStats> found = lost.stats(List.of("other", "read"), task);
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    @Test
    void shouldTellTheTimeToWhoeverReports() {
        pass(7);
        assertThat(lost.of("read", 0).nowNs()).isEqualTo(seconds(7));
    }

    @Test
    void shouldCountHowOftenAndForHowLong() {
        ConnectionReports reports = lost.of("read", 0);
        reports.restored(SYSTEM);
        assertThat(lost.stats(List.of("read"), 0)).as("never lost").isEmpty();

        reports.lost(SYSTEM, "no answer");
        pass(12);
        reports.lost(SYSTEM, "still none");
        assertThat(of(0)).isEqualTo(new ConnectionStats("read", SYSTEM, "no answer", 1, seconds(12), seconds(12)));
        assertThat(of(0).isLost()).isTrue();
        reports.restored(SYSTEM);
        pass(100);
        assertThat(of(0)).isEqualTo(new ConnectionStats("read", SYSTEM, "no answer", 1, seconds(12), 0));

        reports.lost(SYSTEM, "refused");
        pass(3);
        assertThat(of(0)).isEqualTo(new ConnectionStats("read", SYSTEM, "refused", 2, seconds(15), seconds(3)));
        assertThat(lost.stats(List.of("write"), 0)).isEmpty();
        assertThat(lost.stats(List.of("read"), 1)).isEmpty();
    }

    @Test
    void shouldTellALossOnce_forAllTasks() {
        lost.of("read", 0).lost(SYSTEM, "no\nanswer");
        lost.of("read", 1).lost(SYSTEM, "no answer");
        assertThat(lines)
                .containsExactly("operator 'read': Kafka at h:9092 is not available (no answer); the job waits for it");
        pass(7);
        lost.of("read", 1).restored(SYSTEM);
        assertThat(lines).as("the other task still waits").hasSize(1);
        lost.of("read", 0).restored(SYSTEM);
        lost.of("read", 0).restored(SYSTEM);
        assertThat(lines)
                .hasSize(2)
                .last()
                .isEqualTo("operator 'read': Kafka at h:9092 is available again; it was lost once, for 7 s in all;"
                        + " the job continues");

        lost.of("read", 1).lost(SYSTEM, "refused");
        lost.of("read", 0).lost(SYSTEM, "refused");
        assertThat(lines).hasSize(3).last().asString().contains("(refused)");
        lost.of("write", 0).lost(SYSTEM, "refused");
        assertThat(lines).as("each operator waits for itself").hasSize(4);
    }

    /** Each task may notice at a time of its own, with its next request. */
    @Test
    void shouldTellTheLossOfATask_ifAnotherOneHasTheSystemAgain() {
        for (int task = 0; task < 2; task++) {
            lines.clear();
            lost.of("read", task).lost(SYSTEM, "refused");
            lost.of("read", task).restored(SYSTEM);
            assertThat(lines).as("task %d", task).hasSize(2);
            assertThat(lines.get(0)).contains(" is not available (refused)");
            assertThat(lines.get(1)).contains(" is available again");
        }
    }

    /** As a client sees it that looks now and then. */
    @Test
    void shouldTellOfALossThatIsOverWhenItIsSeen_andOfTheNextAttempt() {
        LossLines seen = new LossLines(lines::add);
        ConnectionStats over = new ConnectionStats("read", SYSTEM, "refused", 1, seconds(1), 0);
        seen.look(List.of(over));
        seen.look(List.of(over));
        assertThat(lines).hasSize(2);
        seen.look(List.of(new ConnectionStats("read", SYSTEM, "refused", 2, seconds(2), seconds(1))));
        assertThat(lines).hasSize(3);
        seen.look(List.of()); // the job was started again
        seen.look(List.of(new ConnectionStats("read", SYSTEM, "gone", 1, seconds(1), seconds(1))));
        assertThat(lines).hasSize(4).last().asString().contains("(gone)");
    }
}
