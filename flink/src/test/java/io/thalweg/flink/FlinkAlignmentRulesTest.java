// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.contract.AlignmentRulesContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** Aligned splits on Flink: of one task, and of several. */
@Tag("integration")
final class FlinkAlignmentRulesTest {
    private static final LocalFlink FLINK = LocalFlink.shared();

    private static Runner runner(int parallelism) {
        return FLINK.runner(RunSettings.defaults().withParallelism(parallelism));
    }

    @Nested
    final class OneTask extends AlignmentRulesContract {
        @Override
        protected Runner runner() {
            return FlinkAlignmentRulesTest.runner(1);
        }
    }

    @Nested
    final class ThreeTasks extends AlignmentRulesContract {
        @Override
        protected Runner runner() {
            return FlinkAlignmentRulesTest.runner(3);
        }
    }
}
