// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.contract.AsyncRulesContract;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Lookups on Flink. */
final class FlinkAsyncTest extends AsyncRulesContract {
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
    protected Runner runner(RunSettings settings) {
        LocalFlink running = flink;
        if (running == null) {
            throw new IllegalStateException("Flink is not running");
        }
        return running.runner(settings);
    }

    @Override
    protected Guarantee guarantee() {
        return Guarantee.EXACTLY_ONCE;
    }
}
