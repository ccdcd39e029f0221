// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.run.RunSettings;
import io.thalweg.testkit.contract.BroadcastRulesContract;
import java.util.EnumSet;
import org.junit.jupiter.api.Nested;

/** Broadcast streams on the embedded engine, and as the oracle has them. */
final class EmbeddedBroadcastRulesTest {
    @Nested
    final class Stepped extends BroadcastRulesContract {
        @Override
        protected TestRunner road() {
            return embedded(1, 0, true);
        }
    }

    @Nested
    final class SteppedInParallel extends BroadcastRulesContract {
        @Override
        protected TestRunner road() {
            return embedded(3, 0, false);
        }
    }

    @Nested
    final class OnThreads extends BroadcastRulesContract {
        @Override
        protected TestRunner road() {
            return embedded(2, 2, true);
        }
    }

    @Nested
    final class Sequential extends BroadcastRulesContract {
        @Override
        protected TestRunner road() {
            return TestRunner.sequential(2);
        }

        /** The oracle runs operators that make none. */
        @Override
        protected void shouldFailAtAMistakeAndSayWhatIsWrong(Mistake mistake) {}
    }

    private static TestRunner embedded(int parallelism, int threads, boolean specialise) {
        RunSettings settings = RunSettings.defaults()
                .withParallelism(parallelism)
                .withThreads(threads)
                .withSpecialise(specialise);
        return TestRunner.embedded(settings, EnumSet.allOf(HardCase.class), 1);
    }
}
