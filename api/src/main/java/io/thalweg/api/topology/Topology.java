// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import io.thalweg.api.connector.Source;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.TopologyGraph;
import java.util.List;

/**
 * A topology being described: sources, operators, sinks. For one thread. {@link #graph()} turns it into the immutable
 * graph that a runner takes.
 */
public final class Topology {
    private final GraphBuilder builder;

    private Topology(String name) {
        builder = new GraphBuilder(name);
    }

    public static Topology named(String name) {
        return new Topology(name);
    }

    public String name() {
        return builder.name();
    }

    /** A stream of what the source reads. */
    @SuppressWarnings("unchecked") // the graph holds records as Object
    public <T> Stream<T> from(Source<T> source) {
        NodeDraft node = builder.add(new NodeSpec.Source((Source<Object>) source), List.of());
        node.output = (io.thalweg.api.codec.Type<Object>) source.type();
        node.blocking = source.blocking();
        return new Stream<>(builder, node, io.thalweg.api.graph.Edge.MAIN, new Grouping.Auto());
    }

    /**
     * Checks the description and turns it into a graph.
     *
     * @throws io.thalweg.api.graph.TopologyException if something is missing or does not fit; says which operator
     */
    public TopologyGraph graph() {
        return builder.build();
    }
}
