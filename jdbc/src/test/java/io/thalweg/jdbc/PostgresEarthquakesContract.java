// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.job.JobLoader;
import io.thalweg.job.LoadedJob;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example that writes earthquakes into PostgreSQL, on some road, against the embedded engine. */
@Timeout(600)
public abstract class PostgresEarthquakesContract {
    private static final Path EXAMPLES = Path.of("..", "examples");
    private static final int PARALLELISM = 2;

    @TempDir
    private Path folder;

    /** With the strongest guarantee that the road gives to sinks; checkpoints are in {@code folder}. */
    protected abstract Runner runner(RunSettings settings, Path folder, LoadedJob job);

    private List<String> rows(Function<LoadedJob, Runner> runner) throws Exception {
        // without the line of its drivers, which are on the class path here, so that nothing is fetched
        List<String> source = Files.readAllLines(EXAMPLES.resolve("postgres-earthquakes/PostgresEarthquakes.java"));
        source.removeIf(line -> line.startsWith("//DEPS"));
        Path file = Files.write(folder.resolve("PostgresEarthquakes.java"), source);
        String url = TestPostgres.shared().database();
        LoadedJob job = new JobLoader(null).load(file, null);
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(job.loader());
        try {
            String events = EXAMPLES.resolve("earthquakes/earthquakes.jsonl")
                    .toAbsolutePath()
                    .toString();
            runner.apply(job)
                    .start(job.define(Map.of("in", events, "url", url)))
                    .await();
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
        List<String> rows = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(
                        "select day, net, quakes_n, quakes_max_mag, quakes_mean_mag, quakes_sum_sig from quakes_by_day")) {
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int column = 1; column <= 6; column++) {
                    row.add(result.getString(column));
                }
                rows.add(String.join(",", row));
            }
        }
        return rows;
    }

    @Test
    void shouldWriteTheRowsOfTheEmbeddedEngine() throws Exception {
        Assumptions.assumeTrue(TestPostgres.missing().isEmpty(), TestPostgres.missing());
        RunSettings settings = RunSettings.defaults()
                .withParallelism(PARALLELISM)
                .withConsole(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));

        List<String> embedded = rows(job -> new EmbeddedRunner(settings));
        List<String> onRoad = rows(job -> runner(settings, folder.resolve("checkpoints"), job));

        assertThat(embedded).hasSizeGreaterThan(50);
        assertThat(onRoad).containsExactlyInAnyOrderElementsOf(embedded);
    }
}
