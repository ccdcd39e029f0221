// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.run.RunSettings;
import io.thalweg.testkit.contract.CountWindowRulesContract;
import java.util.EnumSet;
import org.junit.jupiter.api.Nested;

/** Windows of so many records on the embedded engine, and as the oracle has them. */
final class EmbeddedCountWindowRulesTest {
    @Nested
    final class Stepped extends CountWindowRulesContract {
        @Override
        protected TestRunner road() {
            return embedded(1, 0, true);
        }
    }

    @Nested
    final class SteppedInParallel extends CountWindowRulesContract {
        @Override
        protected TestRunner road() {
            return embedded(3, 0, false);
        }
    }

    @Nested
    final class OnThreads extends CountWindowRulesContract {
        @Override
        protected TestRunner road() {
            return embedded(2, 2, true);
        }
    }

    @Nested
    final class Sequential extends CountWindowRulesContract {
        @Override
        protected TestRunner road() {
            return TestRunner.sequential(2);
        }
    }

    private static TestRunner embedded(int parallelism, int threads, boolean specialise) {
        RunSettings settings = RunSettings.defaults()
                .withParallelism(parallelism)
                .withThreads(threads)
                .withSpecialise(specialise);
        return TestRunner.embedded(settings, EnumSet.allOf(HardCase.class), 1);
    }
}
