// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.stages;

import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyGraph;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What came to each operator.
 *
 * @param samples by id of the node
 * @param passed records by number of the edge
 * @param readNs for which sources read
 * @param bad records
 * @param complete the whole input was read
 * @param full reading ended early, because memory was short
 */
record Recording(
        TopologyGraph job, List<Sample> samples, long[] passed, long readNs, long bad, boolean complete, boolean full) {
    /** Records that a node emitted: those of its main output and of its side outputs. */
    long emitted(Node node) {
        Map<String, Long> ports = new HashMap<>();
        for (int number = 0; number < passed.length; number++) {
            Edge edge = job.edges().get(number);
            if (edge.from() == node.id()) {
                ports.merge(edge.port(), passed[number], Math::max);
            }
        }
        return ports.values().stream().mapToLong(Long::longValue).sum();
    }

    long received(Node node) {
        long received = 0;
        for (int number = 0; number < passed.length; number++) {
            received += job.edges().get(number).to() == node.id() ? passed[number] : 0;
        }
        return received;
    }

    /** Records that all sources emitted. */
    long read() {
        return job.nodes().stream()
                .filter(node -> node.spec().source() != null)
                .mapToLong(this::emitted)
                .sum();
    }
}
