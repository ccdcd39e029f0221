// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.contract.LiveRulesContract;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Live sources on a LocalCluster. */
@Tag("integration")
final class LiveRulesTest extends LiveRulesContract {
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
