// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.corpus;

import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.run.RunSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * A job whose faults are known.
 *
 * @param name of its recorded observation
 * @param faults that must be found, the first one first, each as its rule, or as RULE @ OPERATOR where one operator has it; none if the
 *     job is healthy
 * @param graph of the job
 * @param settings that it runs with; the folder is empty, for checkpoints
 */
public record PlantedJob(
        String name,
        List<String> faults,
        Supplier<TopologyGraph> graph,
        BiFunction<RunSettings, Path, RunSettings> settings) {
    /** All of them, but for those with operators in Python, which that module runs. */
    static List<PlantedJob> all() {
        List<PlantedJob> all = new ArrayList<>(FirstHalf.JOBS);
        all.addAll(SecondHalf.JOBS);
        all.addAll(KeyJobs.JOBS);
        all.addAll(CopyJobs.JOBS);
        return all;
    }

    static PlantedJob named(String name) {
        return all().stream().filter(job -> job.name().equals(name)).findFirst().orElseThrow();
    }

    static PlantedJob of(String name, List<String> faults, Supplier<TopologyGraph> graph) {
        return new PlantedJob(name, faults, graph, (settings, folder) -> settings);
    }

    PlantedJob with(BiFunction<RunSettings, Path, RunSettings> other) {
        return new PlantedJob(name, faults, graph, other);
    }

    @Override
    public String toString() {
        return name;
    }
}
