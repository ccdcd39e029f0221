// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.contract.AlignmentRulesContract;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** Aligned splits on Flink: of one task, and of several. */
final class FlinkAlignmentRulesTest {
    private static @Nullable LocalFlink flink;

    @BeforeAll
    static void startFlink() {
        flink = LocalFlink.start();
    }

    @AfterAll
    static void stopFlink() {
        if (flink != null) {
            flink.close();
        }
    }

    private static Runner runner(int parallelism) {
        LocalFlink running = flink;
        if (running == null) {
            throw new IllegalStateException("Flink is not running");
        }
        return running.runner(RunSettings.defaults().withParallelism(parallelism));
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
