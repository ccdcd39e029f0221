// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

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
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The earthquakes through Kafka on Flink, against those of the file on the embedded engine. */
@Tag("long")
@Timeout(600)
final class KafkaEarthquakesTest {
    private static final Path EXAMPLES = Path.of("..", "examples");

    @TempDir
    private Path folder;

    private final RunSettings settings = RunSettings.defaults()
            .withParallelism(2)
            .withConsole(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));

    private List<String> groups(String example, Function<LoadedJob, Runner> runner) throws Exception {
        Path out = folder.resolve("groups.csv");
        LoadedJob job = new JobLoader(null).load(EXAMPLES.resolve(example), null);
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(job.loader());
        try {
            runner.apply(job).start(job.define(Map.of("out", out.toString()))).await();
            return Files.readAllLines(out);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
            Files.deleteIfExists(out);
        }
    }

    @Test
    void shouldGiveTheGroupsOfTheFile() throws Exception {
        List<String> embedded = groups("earthquakes/Earthquakes.java", job -> new EmbeddedRunner(settings));
        List<String> onFlink = groups(
                "kafka-earthquakes/KafkaEarthquakes.java",
                job -> new FlinkRunnerProvider().runner(settings, null, Map.of(), job.jars()));

        assertThat(onFlink).hasSize(127).containsExactlyInAnyOrderElementsOf(embedded);
    }
}
