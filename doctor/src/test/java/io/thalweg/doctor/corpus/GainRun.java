// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.corpus;

import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.graph.TunedGraph;
import io.thalweg.api.stats.JobStats;
import io.thalweg.doctor.observation.RecordJson;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.AckSettings;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.run.output.DigestSink;
import io.thalweg.run.output.OutputDigests;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** In a JVM of its own: runs a planted job over so much input, as it is or as the doctor advises, and says how long that took. */
public final class GainRun {
    private GainRun() {}

    /**
     * What is to be run.
     *
     * @param option that the doctor advises; empty for the job as it is
     * @param sources by their names in the plan
     * @param digested sinks are replaced by a digest, to compare outputs; otherwise the job's own sinks write
     */
    record Order(String job, String option, List<Input> sources, boolean digested, String folder) {
        Order {
            sources = List.copyOf(sources);
        }
    }

    /** How many records a source is to give. */
    record Input(String source, long records) {}

    /** @param output records and digest of each sink, if they were digested */
    record Took(double seconds, List<String> output) {
        Took {
            output = List.copyOf(output);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Order order = RecordJson.read(Files.readAllBytes(Path.of(arguments[0])), Order.class);
        Files.writeString(Path.of(arguments[1]), RecordJson.line(run(order)));
        System.exit(0); // a job may keep threads
    }

    private static Took run(Order order) throws Exception {
        PlantedJob planted = GainJobs.named(order.job());
        Path folder = Path.of(order.folder());
        RunSettings before = planted.settings()
                .apply(RunSettings.defaults().withParallelism(2).withThreads(2), folder);
        RunSettings settings = order.option().isEmpty() ? before : with(before, order.option());
        TopologyGraph graph = bounded(planted.graph().get(), order.sources());
        try (OutputDigests digests = new OutputDigests()) {
            JobStats end = new EmbeddedRunner(settings)
                    .start(order.digested() ? DigestSink.insteadOfSinks(graph, digests) : graph)
                    .await();
            List<String> output = new ArrayList<>();
            digests.totals().forEach(sink -> output.add(sink.toString()));
            return new Took(end.elapsedNs() / 1e9, output);
        }
    }

    private static TopologyGraph bounded(TopologyGraph graph, List<Input> sources) {
        List<Long> records = graph.nodes().stream()
                .filter(node -> node.spec().source() != null)
                .map(node -> sources.stream()
                        .filter(input -> input.source().equals(node.name()))
                        .findFirst()
                        .orElseThrow()
                        .records())
                .toList();
        List<Long> left = new ArrayList<>(records); // sources are replaced in the order of the nodes
        return TunedGraph.withSources(graph, source -> new BoundedSource(source, left.remove(0)));
    }

    /** The settings with an option as findings have it. */
    private static RunSettings with(RunSettings settings, String option) {
        String[] words = option.split(" ");
        return switch (words[0]) {
            case "--threads" -> settings.withThreads(Integer.parseInt(words[1]));
            case "--parallelism" -> settings.withParallelism(Integer.parseInt(words[1]));
            case "--max-pending" ->
                settings.withAcks(AckSettings.defaults().withMaxPending(Integer.parseInt(words[1])), null);
            case "--checkpoint-interval" -> {
                CheckpointSettings checkpoints = Objects.requireNonNull(settings.checkpoints());
                long seconds = Long.parseLong(words[1].replace("s", ""));
                yield settings.withCheckpoints(checkpoints.every(Duration.ofSeconds(seconds)));
            }
            default -> throw new IllegalArgumentException(option + " is not known here");
        };
    }
}
