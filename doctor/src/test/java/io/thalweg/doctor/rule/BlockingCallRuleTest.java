// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.BlockedCall;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BlockingCallRuleTest {
    private static final long MS = 1_000_000;

    /** A task that is busy for a hundredth of the time, and stood still for so long in all. */
    private static List<Finding> found(long times, long totalNs) {
        MadeUpJob job = new MadeUpJob()
                .operator("in", "source", "", false)
                .operator("ask", "map", "", false)
                .chain(1, "in", "ask")
                .task(1_000, 0.01 + (double) totalNs / MadeUpJob.SECONDS / 1e9, 0.9, 0);
        job.blocked("ask", new BlockedCall("Job.ask", "Job.java:7", "Thread.sleep", times, totalNs, totalNs / times));
        return new BlockingCallRule().findings(job.facts());
    }

    @Test
    void shouldFindCallsThatKeepTheThread() {
        assertThat(found(1_000, 2_000 * MS)).singleElement().satisfies(finding -> {
            assertThat(finding.operator()).isEqualTo("ask");
            assertThat(finding.why()).startsWith("Job.ask (Job.java:7) waits in Thread.sleep");
        });
        assertThat(found(10, 300 * MS)).hasSize(1);
    }

    /** A paced job on a busy machine had one such call: more than a fifth of its busy time, and nothing of the thread's. */
    @Test
    void shouldLetOneCallBe_ofATaskWithLittleToDo() {
        assertThat(found(1, 34 * MS)).isEmpty();
    }
}
