// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.contract.LimitRulesContract;
import java.util.EnumSet;
import org.junit.jupiter.api.Nested;

/** Limits on the embedded engine. */
final class EmbeddedLimitRulesTest {
    @Nested
    final class Stepped extends LimitRulesContract {
        @Override
        protected TestRunner road() {
            return embedded(1, 0, true);
        }

        @Override
        protected Runner runner(RunSettings settings) {
            return new EmbeddedRunner(settings);
        }
    }

    @Nested
    final class SteppedInParallel extends LimitRulesContract {
        @Override
        protected TestRunner road() {
            return embedded(3, 0, false);
        }

        @Override
        protected Runner runner(RunSettings settings) {
            return new EmbeddedRunner(settings);
        }
    }

    @Nested
    final class OnThreads extends LimitRulesContract {
        @Override
        protected TestRunner road() {
            return embedded(2, 2, true);
        }

        @Override
        protected Runner runner(RunSettings settings) {
            return new EmbeddedRunner(settings);
        }
    }

    private static TestRunner embedded(int parallelism, int threads, boolean specialise) {
        RunSettings settings = RunSettings.defaults()
                .withParallelism(parallelism)
                .withThreads(threads)
                .withSpecialise(specialise);
        return TestRunner.embedded(settings, EnumSet.of(HardCase.SMALL_BATCHES, HardCase.SERIALIZED), 1);
    }
}
