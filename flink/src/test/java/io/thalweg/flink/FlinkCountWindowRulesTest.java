// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.run.RunSettings;
import io.thalweg.testkit.Road;
import io.thalweg.testkit.contract.CountWindowRulesContract;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Windows of so many records on Flink. */
final class FlinkCountWindowRulesTest extends CountWindowRulesContract {
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

    @Override
    protected Road road() {
        LocalFlink running = flink;
        if (running == null) {
            throw new IllegalStateException("Flink is not running");
        }
        return Road.of(running.runner(RunSettings.defaults().withParallelism(2)));
    }
}
