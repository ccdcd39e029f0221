// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.http.HttpRulesContract;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Records to a service on Flink. */
@Tag("integration")
final class FlinkHttpRulesTest extends HttpRulesContract {
    private static @Nullable LocalFlink flink;

    @TempDir
    private Path folder;

    private final RunSettings settings = RunSettings.defaults().withParallelism(PARALLELISM);

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

    @Override
    protected Runner checkpointing() {
        return runner(settings.withGuarantee(
                Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder).every(Duration.ofMillis(100))));
    }

    private static Runner runner(RunSettings with) {
        LocalFlink running = flink;
        if (running == null) {
            throw new IllegalStateException("Flink is not running");
        }
        return running.runner(with);
    }
}
