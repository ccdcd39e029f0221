// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.jdbc.PostgresEarthquakesContract;
import io.thalweg.job.LoadedJob;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** Earthquakes into PostgreSQL on Flink, exactly once. */
@Tag("long")
final class FlinkPostgresEarthquakesTest extends PostgresEarthquakesContract {
    @Override
    protected Runner runner(RunSettings settings, Path folder, LoadedJob job) {
        CheckpointSettings checkpoints = CheckpointSettings.in(folder).every(Duration.ofMillis(200));
        return new FlinkRunnerProvider()
                .runner(settings.withGuarantee(Guarantee.EXACTLY_ONCE, checkpoints), null, Map.of(), job.jars());
    }
}
