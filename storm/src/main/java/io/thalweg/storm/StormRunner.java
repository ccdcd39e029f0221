// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.graph.GraphFeature;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.Timing;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.run.AckSettings;
import io.thalweg.run.FeatureRules;
import io.thalweg.run.InputRules;
import io.thalweg.run.OutputRules;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.run.SystemsReady;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs topologies on Apache Storm. Any thread may call; each {@link #start} is a job of its own. */
public final class StormRunner implements Runner {
    private final RunSettings settings;
    private final Submitter place;
    private final Map<String, Object> options;

    private StormRunner(RunSettings settings, Submitter place, Map<String, Object> options) {
        this.settings = settings;
        this.place = place;
        this.options = Map.copyOf(options);
    }

    /**
     * Runs topologies on a LocalCluster in this JVM.
     *
     * @param workers number of workers; records between workers are serialized by their codecs, as between machines
     */
    public static StormRunner local(RunSettings settings, int workers) {
        return new StormRunner(settings, new LocalSubmitter(workers), Map.of());
    }

    /**
     * Runs topologies on a cluster, whose Nimbus decides which worker runs which task.
     *
     * @param address {@code host:port} of the cluster's Nimbus
     * @param code jars with classes of the job, besides those that this JVM has loaded
     * @throws ConnectorException if the address cannot be one
     */
    public static StormRunner on(String address, RunSettings settings, List<Path> code) {
        return on(settings, NimbusSubmitter.at(address, code, settings.warnings()));
    }

    /**
     * The same, on a cluster whose workers have this JVM's class path, so that no classes are sent to it.
     *
     * @param address {@code host:port} of the cluster's Nimbus
     * @throws ConnectorException if the address cannot be one
     */
    public static StormRunner on(String address, RunSettings settings) {
        return on(settings, NimbusSubmitter.at(address, null, settings.warnings()));
    }

    static StormRunner on(RunSettings settings, Submitter place) {
        return new StormRunner(settings, place, Map.of());
    }

    /**
     * Sets options of Storm for the topology, such as {@code topology.producer.batch.size}; they override those that
     * Thalweg sets.
     */
    public StormRunner with(Map<String, Object> stormOptions) {
        return new StormRunner(settings, place, stormOptions);
    }

    @Override
    public StormJob start(TopologyGraph graph) {
        check(graph);
        graph.warnings().forEach(settings.warnings());
        if (place.local()) {
            SystemsReady.await(graph, settings);
        }
        TopologyGraph prepared = prepared(graph);
        StormJob job = new StormJob(StormPlan.of(prepared, settings), prepared, settings, place, options);
        job.start();
        return job;
    }

    @Override
    public PlanInfo plan(TopologyGraph graph) {
        check(graph);
        return StormPlan.of(prepared(graph), settings);
    }

    @Override
    public Set<GraphFeature> features() {
        return Set.of(GraphFeature.DIRECT_GROUPING, GraphFeature.TICKS);
    }

    private void check(TopologyGraph graph) {
        FeatureRules.check(graph, "Storm", features());
        check(graph.name());
        checkAlignment(graph);
        OutputRules.check(graph, settings);
        if (!place.local()) {
            SystemsReady.checkElsewhere(graph, settings, "the Storm cluster");
            InputRules.checkReachable(graph, "the Storm cluster");
        }
    }

    /** Watermarks can only be aligned in a source with one task, because tasks on Storm share nothing. */
    private void checkAlignment(TopologyGraph graph) {
        for (Node node : graph.nodes()) {
            int tasks = graph.parallelism(node, settings.parallelism());
            if (tasks > 1 && NodeSpec.EventTime.aligns(node.spec())) {
                throw new TopologyException(
                        graph.name(),
                        node.name(),
                        "alignedWithin holds only among the splits of one task on Storm, and there are " + tasks
                                + " tasks; give it and its source a parallelism of 1, or run the topology embedded or on"
                                + " Flink");
            }
        }
    }

    private void check(String topology) {
        if (settings.guarantee() == Guarantee.EXACTLY_ONCE) {
            throw refused(
                    topology,
                    "Storm cannot give exactly-once, since its sinks cannot commit together with a checkpoint; use"
                            + " at-least-once, where the last row for each window and key counts, or run it embedded or on"
                            + " Flink");
        }
        if (settings.stateLimit().chosen()) {
            throw refused(
                    topology,
                    "--state-limit is for jobs that run embedded; on Storm each worker has the heap that it is given");
        }
        if (settings.tries() > 0) {
            throw refused(
                    topology,
                    "Storm does not support --tries: it retries a failed record until it is"
                            + " acked; leave out --tries, or run it embedded");
        }
    }

    private static ConnectorException refused(String topology, String why) {
        return new ConnectorException("topology '" + topology + "': " + why);
    }

    /** The settings of Storm's acks; null if the guarantee is given by checkpoints, or there is none. */
    static @Nullable AckSettings acks(RunSettings settings) {
        return settings.checkpoints() == null ? settings.acks() : null;
    }

    /**
     * Isolates sources in a job that is acked: a spout can send a tuple again, but an operator fused with it would
     * process the record only once.
     */
    private TopologyGraph prepared(TopologyGraph graph) {
        if (acks(settings) == null) {
            return graph;
        }
        List<Node> nodes = new ArrayList<>();
        for (Node node : graph.nodes()) {
            boolean timed = graph.outputsOf(node).stream()
                    .anyMatch(edge -> graph.node(edge.to()).spec().timing() == Timing.ASSIGNS);
            boolean alone = node.spec().source() != null && !timed;
            nodes.add(new Node(
                    node.id(),
                    node.name(),
                    node.named(),
                    node.spec(),
                    node.parallelism(),
                    node.isolated() || alone,
                    node.blocking(),
                    node.output(),
                    node.timed()));
        }
        return new TopologyGraph(graph.name(), nodes, graph.edges(), graph.feedback());
    }
}
