// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.contract.ProcessingTimerRulesContract;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Timers by the clock on Flink. */
final class FlinkProcessingTimerRulesTest extends ProcessingTimerRulesContract {
    private static @Nullable LocalFlink flink;

    private final RunSettings settings = RunSettings.defaults().withParallelism(2);

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

    @Override
    protected Runner runner() {
        return runner(settings);
    }

    private static Runner runner(RunSettings with) {
        LocalFlink running = flink;
        if (running == null) {
            throw new IllegalStateException("Flink is not running");
        }
        return running.runner(with);
    }
}
