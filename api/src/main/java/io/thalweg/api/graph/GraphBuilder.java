// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.codec.CodecException;
import io.thalweg.api.codec.Equality;
import io.thalweg.api.codec.Signatures;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Suggestion;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorSupplier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Builds a graph out of named operators and the streams between them, for front ends that do not describe a topology
 * from its sources on: those that read one from a file, or translate one of another system. {@link
 * io.thalweg.api.topology.Topology} builds its graphs through this class, too.
 *
 * <pre>{@code
 * GraphBuilder graph = GraphBuilder.named("alarms");
 * graph.source("readings", readings);
 * graph.process("split", Split::new).parallelism(4);
 * graph.operator("count", new NodeSpec.Running(sensor, count)).as(counts);
 * graph.sink("counts", Sinks.print());
 * graph.sink("broken", rejects);
 * graph.connect("readings", "split").grouped(new Grouping.Shuffle());
 * graph.connect("split", "count");                   // by the key of count
 * graph.connect("split", "broken").side(Split.BROKEN);
 * graph.connect("count", "counts");
 * TopologyGraph built = graph.build();
 * }</pre>
 *
 * <p>Operators may be added and connected in any order; {@link #build} puts them in topological order and checks them.
 * The type of the records that an operator emits is known for sources, for operators that pass on the records that
 * come in (filter, peek, union, event time, distinct, limit), and for {@link #process} if the class of the operator
 * says it; otherwise set it with {@link NodeBuilder#as}.
 *
 * <p>Not thread-safe.
 */
public final class GraphBuilder {
    private final String name;
    private final List<NodeBuilder> nodes = new ArrayList<>();
    private final List<EdgeBuilder> edges = new ArrayList<>();

    private GraphBuilder(String name) {
        this.name = name;
    }

    /**
     * Starts an empty graph.
     *
     * @param name of the topology: shown in messages, metrics and reports, and saved in checkpoints
     */
    public static GraphBuilder named(String name) {
        return new GraphBuilder(name);
    }

    /** The name given to {@link #named}. */
    public String name() {
        return name;
    }

    // ---- operators

    /**
     * Adds a source.
     *
     * @param operator its name, unique within the graph
     */
    @SuppressWarnings("unchecked") // the graph holds records as Object
    public NodeBuilder source(String operator, io.thalweg.api.connector.Source<?> source) {
        return operator(operator, new NodeSpec.Source((io.thalweg.api.connector.Source<Object>) source));
    }

    /**
     * Adds a sink.
     *
     * @param operator its name, unique within the graph
     */
    @SuppressWarnings("unchecked") // the graph holds records as Object
    public NodeBuilder sink(String operator, io.thalweg.api.connector.Sink<?> sink) {
        return operator(operator, new NodeSpec.Sink((io.thalweg.api.connector.Sink<Object>) sink));
    }

    /**
     * Adds a user's operator without keys. The types of the records that it takes and emits are read from its class.
     *
     * @param operator its name, unique within the graph
     * @param supplier makes the operator of each task; called once here, to find its class
     */
    @SuppressWarnings("unchecked") // the graph holds records as Object
    public NodeBuilder process(String operator, OperatorSupplier<? extends Operator<?, ?>> supplier) {
        NodeBuilder node = operator(
                operator, new NodeSpec.Process((OperatorSupplier<? extends Operator<Object, Object>>) supplier));
        Class<?> made = supplier.get().getClass();
        Type<?> taken = Signatures.argument(made, Operator.class, 0);
        Type<?> emitted = Signatures.argument(made, Operator.class, 1);
        if (taken != null) {
            node.takes(0, taken);
        }
        return emitted == null ? node : node.as(emitted);
    }

    /**
     * Adds an operator of any kind.
     *
     * @param operator its name, unique within the graph
     * @param spec what it does; functions in it get records as {@code Object}
     */
    public NodeBuilder operator(String operator, NodeSpec spec) {
        return operator(spec).name(operator);
    }

    /** Adds an operator without a name; it is called after its kind, with a number if there are several. */
    public NodeBuilder operator(NodeSpec spec) {
        NodeBuilder node = new NodeBuilder(this, spec);
        nodes.add(node);
        return node;
    }

    // ---- streams

    /**
     * Adds a stream from one operator to another.
     *
     * @param from name of an operator, which may be added later
     * @param to name of an operator, which may be added later
     * @return the stream, to say where it starts and ends and how it is grouped
     */
    public EdgeBuilder connect(String from, String to) {
        return connect(new EdgeBuilder.End(from, null), new EdgeBuilder.End(to, null));
    }

    /**
     * Adds a stream from one operator to another; both may lack a name.
     *
     * @throws TopologyException if one of them belongs to another graph
     */
    public EdgeBuilder connect(NodeBuilder from, NodeBuilder to) {
        for (NodeBuilder node : List.of(from, to)) {
            if (node.graph != this) {
                throw problem(
                        (node == from ? to : from).name(),
                        "it is given a stream of this topology and one of topology '" + node.graph.name
                                + "'; streams that meet must come from one topology");
            }
        }
        return connect(new EdgeBuilder.End("", from), new EdgeBuilder.End("", to));
    }

    private EdgeBuilder connect(EdgeBuilder.End from, EdgeBuilder.End to) {
        EdgeBuilder edge = new EdgeBuilder(from, to);
        edges.add(edge);
        return edge;
    }

    // ---- the graph

    /**
     * Checks the description and returns it as a graph. Checked are names; that each input of each operator is led to,
     * and by one stream unless the operator is a union; that there is no cycle; types of records and keys; groupings;
     * event time; side outputs; that functions are serializable; and that no two operators write the same output or
     * read the same standard input or pipe. May be called more than once.
     *
     * @return an immutable graph
     * @throws TopologyException if something is missing or does not fit; the message names the operator and says what
     *     to change
     */
    public TopologyGraph build() {
        if (nodes.isEmpty()) {
            throw problem("", "it has no operators; begin with from(source), or source(…) of a graph builder");
        }
        nodes.forEach(NodeBuilder::followWhole);
        nameAll();
        if (nodes.stream().allMatch(node -> node.spec().inputs() > 0)) {
            throw problem("", "it has no source; add one");
        }
        GraphDraft draft = new GraphDraft(this, nodes, links());
        return new GraphChecks(draft).build();
    }

    private void nameAll() {
        Map<String, NodeBuilder> taken = new HashMap<>();
        for (NodeBuilder node : nodes) {
            if (!node.lacksName() && taken.put(node.name(), node) != null) {
                throw problem(node.name(), "the name is given to two operators; names must be unique");
            }
        }
        for (NodeBuilder node : nodes) {
            for (int number = 1; node.lacksName(); number++) {
                String candidate = node.spec().kind() + (number == 1 ? "" : "-" + number);
                if (taken.putIfAbsent(candidate, node) == null) {
                    node.defaultName(candidate);
                }
            }
        }
    }

    private List<GraphDraft.Link> links() {
        Map<String, NodeBuilder> byName = new HashMap<>();
        nodes.forEach(node -> byName.put(node.name(), node));
        List<GraphDraft.Link> links = new ArrayList<>();
        for (EdgeBuilder edge : edges) {
            links.add(new GraphDraft.Link(
                    edge, end(edge.from(), edge.to(), byName), end(edge.to(), edge.from(), byName)));
        }
        return links;
    }

    private NodeBuilder end(EdgeBuilder.End end, EdgeBuilder.End other, Map<String, NodeBuilder> byName) {
        NodeBuilder node = end.node() == null ? byName.get(end.name()) : end.node();
        if (node == null) {
            throw problem(
                    other.name(),
                    "it is connected with '" + end.name() + "', and there is no such operator"
                            + Suggestion.of(end.name(), byName.keySet()));
        }
        return node;
    }

    /**
     * Checks that keys of this type can be serialized and found again, as {@link #build} does for each key.
     *
     * @param operator for the message
     * @throws TopologyException if they cannot
     */
    public void checkKey(String operator, Type<?> key) {
        try {
            key.codec();
            Equality.check(key);
        } catch (CodecException e) {
            throw problem(operator, "its key cannot be used: " + e.getMessage());
        }
    }

    /**
     * A mistake in this topology, for a front end that finds one itself.
     *
     * @param operator name of the operator; empty for the whole topology
     * @param problem what is wrong and what to change, in one line
     */
    public TopologyException problem(String operator, String problem) {
        return new TopologyException(name, operator, problem);
    }
}
