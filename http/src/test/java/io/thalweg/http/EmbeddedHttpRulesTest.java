// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;

/** On the embedded engine. */
final class EmbeddedHttpRulesTest extends HttpRulesContract {
    @TempDir
    private Path folder;

    private final RunSettings settings = RunSettings.defaults().withParallelism(PARALLELISM);

    @Override
    protected Runner runner() {
        return new EmbeddedRunner(settings);
    }

    @Override
    protected Runner checkpointing() {
        return new EmbeddedRunner(settings.withGuarantee(
                Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder).every(Duration.ofMillis(20))));
    }
}
