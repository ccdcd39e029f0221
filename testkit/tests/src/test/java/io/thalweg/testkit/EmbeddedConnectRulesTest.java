// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.run.RunSettings;
import io.thalweg.testkit.contract.ConnectRulesContract;
import java.util.EnumSet;
import org.junit.jupiter.api.Nested;

/** Connected streams on the embedded engine, and as the oracle has them. */
final class EmbeddedConnectRulesTest {
    @Nested
    final class Stepped extends ConnectRulesContract {
        @Override
        protected TestRunner road() {
            return embedded(1, 0, true);
        }
    }

    @Nested
    final class SteppedInParallel extends ConnectRulesContract {
        @Override
        protected TestRunner road() {
            return embedded(3, 0, false);
        }
    }

    @Nested
    final class OnThreads extends ConnectRulesContract {
        @Override
        protected TestRunner road() {
            return embedded(2, 2, true);
        }
    }

    @Nested
    final class Sequential extends ConnectRulesContract {
        @Override
        protected TestRunner road() {
            return TestRunner.sequential(2);
        }

        @Override
        protected boolean hasTasks() {
            return false;
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
