// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.run.RunSettings;
import io.thalweg.testkit.Road;
import io.thalweg.testkit.contract.LimitRulesContract;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Limits on Flink. */
final class FlinkLimitRulesTest extends LimitRulesContract {
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
