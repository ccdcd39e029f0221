// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.run.CheckpointSettings;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JobHealthTest {
    private final CheckpointSettings checkpoints =
            CheckpointSettings.in(Path.of("kept")).every(Duration.ofSeconds(10)).withTimeout(Duration.ofSeconds(20));

    private static JobStatus status(String state, long elapsedMs) {
        return new JobStatus(
                "levels-1", 1, "levels", "embedded", state, elapsedMs, 0, 0, 0, 0, 0, 0, 0, 0, null, "", null, null);
    }

    @Test
    void shouldBeUnwell_ifCheckpointsAreOverdue() {
        assertThat(JobHealth.of(status("RUNNING", 30_000), checkpoints).healthy())
                .isTrue();
        assertThat(JobHealth.of(status("RUNNING", 31_000), null).healthy()).isTrue();
        JobHealth overdue = JobHealth.of(status("RUNNING", 31_000), checkpoints);
        assertThat(overdue.healthy()).isFalse();
        assertThat(overdue.reason()).isEqualTo("no checkpoint has been complete for 31 s");
    }

    /** Who checks it would kill it before it has processed its records. */
    @ParameterizedTest
    @ValueSource(strings = {"STOPPING", "DRAINING"})
    void shouldBeWell_whileItStops(String state) {
        assertThat(JobHealth.of(status(state, 3_600_000), checkpoints))
                .satisfies(health -> assertThat(health.healthy()).isTrue())
                .satisfies(health -> assertThat(health.reason()).isEmpty());
    }
}
