// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.jdbc.PostgresEarthquakesContract;
import io.thalweg.job.LoadedJob;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

/** Earthquakes into PostgreSQL on a LocalCluster, at least once; rows are replaced by their keys. */
@Tag("long")
final class PostgresEarthquakesTest extends PostgresEarthquakesContract {
    @Override
    protected Runner runner(RunSettings settings, Path folder, LoadedJob job) {
        CheckpointSettings checkpoints = CheckpointSettings.in(folder).every(Duration.ofMillis(200));
        return StormRunner.local(settings.withGuarantee(Guarantee.AT_LEAST_ONCE, checkpoints), 1);
    }
}
