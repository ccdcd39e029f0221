// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.kafka.KafkaRulesContract;
import io.thalweg.run.BadRecordListener;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Topics of Kafka on a LocalCluster. */
@Tag("integration")
final class KafkaRulesTest extends KafkaRulesContract {
    @TempDir
    private Path folder;

    private final RunSettings settings = RunSettings.defaults().withParallelism(PARALLELISM);

    @Override
    protected Runner runner(BadRecordListener bad) {
        return StormRunner.local(settings.withBadRecords(bad), 1);
    }

    @Override
    protected int aligned() {
        return 1;
    }

    @Override
    protected Runner checkpointing() {
        return StormRunner.local(
                settings.withGuarantee(
                        Guarantee.AT_LEAST_ONCE, CheckpointSettings.in(folder).every(Duration.ofMillis(100))),
                1);
    }
}
