// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.graph.Node;
import java.util.List;
import java.util.stream.Collectors;

/** Operators that run fused, in topological order; the first takes the input. */
public record Chain(int id, List<Node> nodes, int parallelism, boolean blocking) {
    public Node head() {
        return nodes.get(0);
    }

    public List<String> operators() {
        return nodes.stream().map(Node::name).toList();
    }

    /** {@code source+map+sink}. */
    public String name() {
        return nodes.stream().map(Node::name).collect(Collectors.joining("+"));
    }
}
