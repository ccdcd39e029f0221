// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.graph.Cardinality;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.KeySpec;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.WatermarkSteps;
import io.thalweg.engine.chain.LoopPart;
import io.thalweg.engine.chain.Outlet;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.StatelessStages;
import io.thalweg.engine.queue.Ring;
import io.thalweg.engine.route.QueueSender;
import io.thalweg.engine.route.RouterFactory;
import io.thalweg.engine.route.Sender;
import io.thalweg.engine.route.TransportSender;
import io.thalweg.run.KeyListener;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Builds the fused operators of one task, from the last to the first, and the outlets behind them. */
final class ChainBuilder {
    private static final Receiver NOWHERE = value -> {};

    private final TaskSite site;
    private final ReusedRecords reused;
    private final StageFactory stages;
    private final ChainParts parts = new ChainParts();

    ChainBuilder(TaskSite site, ReusedRecords reused) {
        this.site = site;
        this.reused = reused;
        stages = new StageFactory(site, reused, parts);
    }

    ChainParts parts() {
        return parts;
    }

    /** The receivers of the chain's input: one for each input of its head. */
    List<Receiver> entries() {
        Node head = site.chain().head();
        return head.spec().source() != null ? List.of(output(head, Edge.MAIN, true)) : receivers(head, true);
    }

    /**
     * The receivers of a node: one for each of its inputs.
     *
     * @param oneToOne every input record of the task reaches this node exactly once
     */
    private List<Receiver> receivers(Node node, boolean oneToOne) {
        return stages.receivers(node, oneToOne, new StageFactory.Downstream() {
            @Override
            public Receiver next() {
                return output(node, Edge.MAIN, oneToOne && node.spec().cardinality() == Cardinality.ONE);
            }

            @Override
            public Receiver port(String name) {
                return output(node, name, false);
            }

            @Override
            public Map<String, Receiver> sides() {
                Map<String, Receiver> sides = new HashMap<>();
                Loops.outputsOf(site.graph(), node).stream()
                        .map(Edge::port)
                        .filter(port -> !port.equals(Edge.MAIN))
                        .distinct()
                        .forEach(port -> sides.put(port, port(port)));
                return sides;
            }
        });
    }

    /** The receiver of what a node emits. */
    private Receiver output(Node node, String port, boolean oneToOne) {
        List<Edge> edges = Loops.outputsOf(site.graph(), node).stream()
                .filter(edge -> edge.port().equals(port))
                .toList();
        boolean alone = edges.size() == 1;
        List<Receiver> branches =
                edges.stream().map(edge -> branch(edge, oneToOne && alone)).toList();
        if (branches.isEmpty()) {
            return NOWHERE;
        }
        return alone ? branches.get(0) : stateless(node).fanOut(branches, reused.copiesOn(edges.get(0)));
    }

    private StatelessStages stateless(Node node) {
        return new StatelessStages(node.name(), site.frame(), site.specialiser().of(node.name()));
    }

    private Receiver branch(Edge edge, boolean oneToOne) {
        Receiver to = site.job().plan().fused(edge)
                ? receivers(site.graph().node(edge.to()), oneToOne).get(edge.input())
                : outlet(edge);
        return samplingKeys(edge, checkingKeys(edge, to));
    }

    /**
     * Checks the key or the partitioner's choice where there is only one task and the next operator does not use keys,
     * so that no one else does.
     */
    private Receiver checkingKeys(Edge edge, Receiver to) {
        Node node = site.graph().node(edge.to());
        KeySpec goesBy = edge.grouping().goesBy(1);
        boolean asks =
                node.spec().keyedBy(edge.input()) != null || site.job().plan().parallelism(node) > 1;
        return goesBy == null || asks ? to : stateless(node).hasKey(goesBy.function(), to);
    }

    /** Has somebody know the keys, if anybody wants to: also where there is one task, which may get more. */
    private Receiver samplingKeys(Edge edge, Receiver to) {
        KeySpec key = edge.grouping().key();
        String from = site.graph().node(edge.from()).name();
        String name = site.graph().node(edge.to()).name();
        KeyListener.Samples samples =
                key == null ? null : site.job().settings().keys().along(from, name, site.index());
        return key == null || samples == null
                ? to
                : new StatelessStages(name, site.frame(), site.specialiser().of(from)).sampling(key, samples, to);
    }

    private Outlet outlet(Edge edge) {
        int tasks = site.job().plan().parallelism(site.graph().node(edge.to()));
        Codec<Object> copies = reused.copiesOn(edge);
        Outlet outlet = new RouterFactory(
                        new RouterFactory.Site(
                                site.graph().node(edge.to()).name(),
                                site.frame(),
                                site.index(),
                                site.specialiser()
                                        .of(site.graph().node(edge.from()).name())),
                        tasks,
                        sender(edge, tasks),
                        copies)
                .outlet(edge.grouping(), site.job().plan().straight(edge));
        parts.outlets.add(outlet);
        return outlet;
    }

    private Sender sender(Edge edge, int tasks) {
        Node from = site.graph().node(edge.from());
        long stepMs =
                from.timed() ? WatermarkSteps.at(site.graph(), site.graph().node(edge.to())) : 0;
        JobBuild.Links links = site.job().links();
        if (links instanceof JobBuild.Local local) {
            LoopPart loop = site.loop();
            if (loop != null && local.loops().within(edge)) {
                return sender(loop, edge, local.queues().from(edge, site.index()), stepMs);
            }
            return new QueueSender(site.frame(), local.queues().from(edge, site.index()), stepMs);
        }
        JobBuild.Hosting hosting = (JobBuild.Hosting) links;
        IntStream behind = site.job().plan().straight(edge) ? IntStream.of(site.index()) : IntStream.range(0, tasks);
        return new TransportSender(
                hosting.carrier(), site.frame(), HostedInput.link(site.graph(), edge), behind, stepMs);
    }

    private Sender sender(LoopPart loop, Edge edge, List<Ring> rings, long stepMs) {
        return edge.from() < edge.to()
                ? QueueSender.within(loop, site.frame(), rings, stepMs)
                : QueueSender.back(
                        loop,
                        site.frame(),
                        rings,
                        site.graph().node(edge.from()).name());
    }
}
