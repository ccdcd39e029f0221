// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.BadRecordListener;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;

/** On the embedded engine. */
final class EmbeddedKafkaRulesTest extends KafkaRulesContract {
    @TempDir
    private Path folder;

    private final RunSettings settings = RunSettings.defaults().withParallelism(PARALLELISM);

    @Override
    protected Runner runner(BadRecordListener bad) {
        return new EmbeddedRunner(settings.withBadRecords(bad));
    }

    @Override
    protected Runner checkpointing() {
        return new EmbeddedRunner(settings.withGuarantee(
                Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder).every(Duration.ofMillis(100))));
    }
}
