// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.tune;

import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.graph.TunedGraph;
import io.thalweg.doctor.tune.Choice;
import io.thalweg.doctor.tune.Choices;
import io.thalweg.doctor.tune.Setting;
import io.thalweg.run.AckSettings;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.Idle;
import io.thalweg.run.RunSettings;
import io.thalweg.run.RunnerInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Applies settings: what they are for a run, for a graph, and for the JVM. */
public final class Tuned {
    private Tuned() {}

    /** The settings of a run with those of the whole job. */
    public static RunSettings settings(RunSettings settings, Choices choices) {
        RunSettings next = settings;
        int batches = settings.queueBatches();
        int records = settings.batchRecords();
        for (Choice choice : choices.all()) {
            String value = choice.value();
            switch (choice.setting()) {
                case THREADS -> next = next.withThreads(Integer.parseInt(value));
                case PARALLELISM -> next = next.withParallelism(Integer.parseInt(value));
                case IDLE -> next = next.withIdle(Idle.valueOf(value.toUpperCase(Locale.ROOT)));
                case QUEUE -> batches = Integer.parseInt(value);
                case BATCH -> records = Integer.parseInt(value);
                case MAX_PENDING -> next = withMaxPending(next, Integer.parseInt(value));
                case CHECKPOINT_INTERVAL -> next = withInterval(next, value);
                case HEAP,
                        COLLECTOR,
                        BUFFER_TIMEOUT,
                        BUFFER_SIZE,
                        FLOATING_BUFFERS,
                        PRODUCER_BATCH,
                        RECEIVE_BUFFER,
                        ACKERS,
                        TASKS,
                        ISOLATE,
                        SHUFFLE -> {
                    // of the JVM, of the engine of a road, or of an operator
                }
            }
        }
        return next.withSteps(settings.stepRecords(), batches, records);
    }

    /** Of a job that is acked; the command line refuses it for others. */
    private static RunSettings withMaxPending(RunSettings settings, int records) {
        AckSettings acks = settings.acks();
        return acks == null ? settings : settings.withAcks(acks.withMaxPending(records), settings.checkpoints());
    }

    /** Of a job that takes checkpoints, as above. */
    private static RunSettings withInterval(RunSettings settings, String time) {
        CheckpointSettings checkpoints = settings.checkpoints();
        return checkpoints == null ? settings : settings.withCheckpoints(checkpoints.every(duration(time)));
    }

    /** As the setting takes it, which has checked it. */
    private static Duration duration(String time) {
        String unit = time.replaceFirst("[0-9]+", "");
        long number = Long.parseLong(time.substring(0, time.length() - unit.length()));
        return switch (unit) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
    }

    /**
     * The graph with a setting of an operator; the graph itself for one of the whole job.
     *
     * @throws IllegalArgumentException if it does not fit; the message is one line
     */
    public static TopologyGraph graph(TopologyGraph graph, Choice choice) {
        String value = choice.value();
        return switch (choice.setting()) {
            case TASKS -> TunedGraph.withParallelism(graph, choice.operator(), Integer.parseInt(value));
            case ISOLATE -> TunedGraph.withIsolated(graph, choice.operator(), Boolean.parseBoolean(value));
            case SHUFFLE -> TunedGraph.withShuffle(graph, choice.operator(), Boolean.parseBoolean(value));
            default -> graph;
        };
    }

    /** The graph with all settings of operators; as {@link #graph(TopologyGraph, Choice)}. */
    static TopologyGraph graph(TopologyGraph graph, Choices choices) {
        TopologyGraph next = graph;
        for (Choice choice : choices.all()) {
            next = graph(next, choice);
        }
        return next;
    }

    /**
     * Options of a road, with those that settings of its engine are. What was given goes before them.
     *
     * @param given by the names of the options
     */
    public static Map<String, List<String>> options(RunnerInfo road, Map<String, List<String>> given, Choices choices) {
        Map<String, List<String>> all = new LinkedHashMap<>(given);
        List<String> values = choices.all().stream()
                .filter(choice -> !choice.setting().key().isEmpty())
                .map(choice -> choice.setting().key() + "=" + choice.value())
                .toList();
        if (!values.isEmpty()) {
            String option = road.options().stream()
                    .filter(each -> each.value().equals("KEY=VALUE"))
                    .map(RunnerInfo.Option::name)
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(road.name() + " takes no options of its engine"));
            List<String> next = new ArrayList<>(values);
            next.addAll(given.getOrDefault(option, List.of()));
            all.put(option, next);
        }
        return all;
    }

    /** Which option that was given says what a setting of an engine is, in words; null if none does. */
    public static @Nullable String given(Map<String, List<String>> options, Setting setting) {
        String beginning = setting.key() + "=";
        return setting.key().isEmpty()
                ? null
                : options.entrySet().stream()
                        .filter(option -> option.getValue().stream().anyMatch(value -> value.startsWith(beginning)))
                        .map(option -> option.getKey() + " " + setting.key() + " was given")
                        .findFirst()
                        .orElse(null);
    }

    /** Options of the JVM, with those that the settings replace. */
    static List<String> javaOptions(List<String> options, Choices choices) {
        List<String> next = new ArrayList<>(options);
        for (Choice choice : choices.all()) {
            if (choice.setting() == Setting.HEAP) {
                next.removeIf(Tuned::setsHeap);
            } else if (choice.setting() == Setting.COLLECTOR) {
                next.removeIf(Tuned::setsCollector);
            }
            next.addAll(javaOptions(choice));
        }
        return next;
    }

    /** What the JVM must have been started with for a setting; none for one that is not of the JVM. */
    public static List<String> javaOptions(Choice choice) {
        return switch (choice.setting()) {
            case HEAP -> List.of("-Xmx" + choice.value());
            case COLLECTOR ->
                List.of(
                        switch (choice.value()) {
                            case "g1" -> "-XX:+UseG1GC";
                            case "parallel" -> "-XX:+UseParallelGC";
                            case "serial" -> "-XX:+UseSerialGC";
                            default -> "-XX:+UseZGC";
                        });
            default -> List.of();
        };
    }

    private static boolean setsHeap(String option) {
        return option.startsWith("-Xmx")
                || option.startsWith("-Xms")
                || option.startsWith("-XX:MaxHeapSize")
                || option.startsWith("-XX:MaxRAMPercentage");
    }

    private static boolean setsCollector(String option) {
        return option.matches("-XX:[+-]Use\\w*GC");
    }
}
