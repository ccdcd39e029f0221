// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.api.stats.ProcessStats;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HostedStatsTest {
    private final HostedStats stats =
            new HostedStats(new PlanInfo("test", "Storm", 0, List.of(), List.of(), List.of(), List.of()));

    @Test
    void shouldSumWhatProcessesToldLast() {
        stats.process("one", new ProcessStats(1, 2, 3, 4, 5));
        stats.process("two", new ProcessStats(10, 20, 30, 40, 50));
        stats.process("one", new ProcessStats(2, 3, 4, 5, 6));
        assertThat(stats.stats(JobState.RUNNING).process()).isEqualTo(new ProcessStats(12, 23, 34, 45, 56));
    }

    @Test
    void shouldMeasureThisJvmWhereNoProcessTells() {
        assertThat(stats.stats(JobState.RUNNING).process().threads()).isPositive();
    }
}
