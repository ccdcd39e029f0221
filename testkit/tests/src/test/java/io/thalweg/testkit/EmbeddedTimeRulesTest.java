// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.run.BadLimit;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.contract.TimeRulesContract;
import java.util.EnumSet;
import org.junit.jupiter.api.Nested;

/** The rules of time on the embedded engine, stepped and on threads. */
final class EmbeddedTimeRulesTest {
    @Nested
    final class Stepped extends TimeRulesContract {
        @Override
        protected TestRunner road() {
            return embedded(1, 0, true);
        }
    }

    @Nested
    final class SteppedInParallel extends TimeRulesContract {
        @Override
        protected TestRunner road() {
            return embedded(3, 0, false);
        }
    }

    @Nested
    final class OnThreads extends TimeRulesContract {
        @Override
        protected TestRunner road() {
            return embedded(2, 2, true);
        }
    }

    private static TestRunner embedded(int parallelism, int threads, boolean specialise) {
        RunSettings settings = RunSettings.defaults()
                .withBadLimit(BadLimit.none())
                .withParallelism(parallelism)
                .withThreads(threads)
                .withSpecialise(specialise);
        return TestRunner.embedded(settings, EnumSet.allOf(HardCase.class), 1);
    }
}
