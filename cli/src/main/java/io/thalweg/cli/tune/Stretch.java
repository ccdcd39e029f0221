// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.tune;

import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.graph.TunedGraph;
import io.thalweg.doctor.observation.RecordJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was recorded of the live sources of a job: records as their codecs serialize them, a file for each split.
 *
 * @param splits in the order in which the sources named them
 */
record Stretch(List<Split> splits) {
    private static final String NAME = "stretch.json";

    Stretch {
        splits = List.copyOf(splits);
    }

    /**
     * A split of a source.
     *
     * @param operator name of the source in the job
     * @param split its name
     * @param file in the folder of the stretch
     */
    record Split(String operator, String split, String file) {}

    static Stretch read(Path folder) throws IOException {
        return RecordJson.read(Files.readAllBytes(folder.resolve(NAME)), Stretch.class);
    }

    void write(Path folder) throws IOException {
        Files.writeString(folder.resolve(NAME), RecordJson.line(this));
    }

    /** The graph with what is in that folder in the place of its live sources; its other sources read as before. */
    TopologyGraph replay(TopologyGraph graph, Path folder) {
        Map<String, Map<String, String>> files = new LinkedHashMap<>();
        for (Split split : splits) {
            files.computeIfAbsent(split.operator(), operator -> new LinkedHashMap<>())
                    .put(split.split(), folder.resolve(split.file()).toString());
        }
        return TunedGraph.withSources(graph, (node, source) -> {
            Map<String, String> recorded = files.get(node.name());
            return recorded == null ? source : new ReplayedSource(source.name(), source.type(), recorded);
        });
    }
}
