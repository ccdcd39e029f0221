// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

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

/** Topics of Kafka on Flink. */
@Tag("integration")
final class FlinkKafkaRulesTest extends KafkaRulesContract {
    private static final LocalFlink FLINK = LocalFlink.shared();

    @TempDir
    private Path folder;

    private final RunSettings settings = RunSettings.defaults().withParallelism(PARALLELISM);

    @Override
    protected Runner runner(BadRecordListener bad) {
        return FLINK.runner(settings.withBadRecords(bad));
    }

    @Override
    protected Runner checkpointing() {
        return FLINK.runner(settings.withGuarantee(
                Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder).every(Duration.ofMillis(100))));
    }
}
