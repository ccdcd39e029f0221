// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.Source;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import io.thalweg.run.Runner;
import io.thalweg.testkit.oracle.Interpretation;
import io.thalweg.testkit.oracle.SequentialInterpreter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/**
 * Tests a file format with a job that reads CSV and writes two files, of results and of late records. It reads both
 * files back and
 * compares them with what the sequential interpreter computes without files.
 */
public final class FileJob {
    private static final SideOutput<Reading> LATE = SideOutput.of("late", Reading.class);
    private static final int READINGS = 2_000;

    private final Format<Reading> csv;
    private final Format<Mean> results;

    /**
     * A row of the input, and of the file of late records.
     *
     * @param sensor the key
     * @param at event time in milliseconds
     * @param degrees what is averaged
     */
    public record Reading(String sensor, long at, double degrees) {}

    /**
     * A row of the results: the mean of one window.
     *
     * @param sensor the key
     * @param from start of the window in milliseconds
     * @param degrees the mean
     */
    public record Mean(String sensor, long from, double degrees) {}

    /**
     * How files of records are read and written.
     *
     * @param read makes the source of a path
     * @param write makes the sink of a path
     * @param type of the records
     */
    public record Format<R>(Function<String, Source<R>> read, Function<String, Sink<R>> write, Class<R> type) {}

    /** @param csv with a header, in the order of the record's components */
    public FileJob(Format<Reading> csv, Format<Mean> results) {
        this.csv = csv;
        this.results = results;
    }

    /** @param folder empty */
    public void check(Runner runner, Path folder) throws Exception {
        String means = folder.resolve("means").toString();
        String late = folder.resolve("late").toString();
        Topology topology = Topology.named("readings");
        Stream<WindowResult<String, Double>> windows = topology.from(csv.read.apply(input(folder)))
                .eventTime(Reading::at, Duration.ofSeconds(1))
                .keyBy(Reading::sensor)
                .window(Windows.tumbling(Duration.ofSeconds(2)))
                .lateTo(LATE)
                .aggregate(Aggregates.mean(Reading::degrees));
        windows.map(each -> new Mean(each.key(), each.start(), each.value()))
                .to(results.write.apply(means))
                .name("means");
        windows.side(LATE).to(csv.write.apply(late)).name("late");
        Interpretation expected = SequentialInterpreter.interpret(topology.graph(), 1);

        JobStats stats = runner.start(topology.graph()).await();

        assertThat(back(results, means)).isNotEmpty().containsExactlyInAnyOrderElementsOf(expected.values("means"));
        assertThat(back(csv, late)).isNotEmpty().containsExactlyInAnyOrderElementsOf(expected.values("late"));
        assertThat(stats.recordsBad()).isEqualTo(1).isEqualTo(expected.recordsBad());
    }

    private static String input(Path folder) throws Exception {
        Random random = new Random(11);
        StringBuilder lines = new StringBuilder("sensor,at,degrees\n");
        for (int i = 0; i < READINGS; i++) {
            int at = i * 100 - random.nextInt(30) * random.nextInt(100);
            lines.append("s%d,%d,%d\n".formatted(random.nextInt(5), at, random.nextInt(50)));
        }
        lines.append("s1,soon,20\n");
        return Files.writeString(folder.resolve("readings.csv"), lines).toString();
    }

    private static <R> List<Object> back(Format<R> format, String path) {
        Topology topology = Topology.named("back");
        topology.from(format.read.apply(path)).to(CollectSink.of(format.type)).name("back");
        return SequentialInterpreter.interpret(topology.graph(), 1).values("back");
    }
}
