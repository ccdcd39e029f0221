// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import io.thalweg.api.connector.Source;
import io.thalweg.api.graph.GraphBuilder;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.graph.NodeBuilder;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.TopologyGraph;

/**
 * A topology under construction: sources, operators and sinks. {@link #graph()} checks it and turns it into the
 * immutable graph that a runner takes.
 *
 * <pre>{@code
 * Topology topology = Topology.named("errors");
 * topology.from(Sources.socketLines("localhost:9999"))
 *         .filter(line -> line.contains("ERROR"))
 *         .to(Sinks.print());
 * TopologyGraph graph = topology.graph();
 * }</pre>
 *
 * <p>Not thread-safe: build a topology on one thread. All streams that meet in an operator must come from the same
 * topology.
 */
public final class Topology {
    private final GraphBuilder builder;

    private Topology(String name) {
        builder = GraphBuilder.named(name);
    }

    /**
     * Starts an empty topology.
     *
     * @param name shown in messages, metrics and reports, and saved in checkpoints; not null
     */
    public static Topology named(String name) {
        return new Topology(name);
    }

    /** The name given to {@link #named}. */
    public String name() {
        return builder.name();
    }

    /**
     * Adds a source and returns the stream of its records. The type of the records is {@link Source#type}. The source
     * runs with the parallelism of the run unless {@link Stream#parallelism} sets another.
     *
     * @param source must be serializable, because a cluster runs it in other processes
     * @return a stream with neither event time nor key; call {@link Stream#eventTime} on it if windows or joins need
     *     event time
     */
    public <T> Stream<T> from(Source<T> source) {
        NodeBuilder node = builder.operator(new NodeSpec.Source(Stream.cast(source)));
        return new Stream<>(builder, node, null, new Grouping.Auto());
    }

    /**
     * Checks the description and returns it as a graph. Checked are names, record and key types, groupings, event time,
     * side outputs, serializable functions, and that no two operators write the same output or read the same standard
     * input or pipe. May be called more than once.
     *
     * @return an immutable graph
     * @throws io.thalweg.api.graph.TopologyException if something is missing or does not fit; the message names the
     *     operator and says what to change
     */
    public TopologyGraph graph() {
        return builder.build();
    }
}
