// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.http.HttpRulesContract;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Records to a service on a LocalCluster. */
@Tag("integration")
final class HttpRulesTest extends HttpRulesContract {
    @TempDir
    private Path folder;

    private final RunSettings settings = RunSettings.defaults().withParallelism(PARALLELISM);

    @Override
    protected Runner runner() {
        return StormRunner.local(settings, 1);
    }

    @Override
    protected Runner checkpointing() {
        return StormRunner.local(
                settings.withGuarantee(
                        Guarantee.AT_LEAST_ONCE, CheckpointSettings.in(folder).every(Duration.ofMillis(100))),
                1);
    }
}
