// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.codec.CodecException;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.WriteTarget;
import io.thalweg.api.operator.Addressed;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks a graph under construction, and makes the graph. */
final class GraphChecks {
    private final GraphDraft draft;
    private final GraphBuilder graph;
    private final Map<String, Integer> ids = new HashMap<>();

    GraphChecks(GraphDraft draft) {
        this.draft = draft;
        graph = draft.graph();
        draft.nodes().forEach(node -> ids.put(node.name(), ids.size()));
    }

    TopologyGraph build() {
        List<Node> nodes = new ArrayList<>();
        List<Edge> edges = new ArrayList<>();
        for (NodeBuilder node : draft.nodes()) {
            List<GraphDraft.Link> inputs = draft.into(node);
            checkInputs(node, inputs);
            passTypeOn(node, inputs);
            checkType(node);
            boolean timed = timed(node, inputs, nodes);
            for (GraphDraft.Link link : inputs) {
                edges.add(edge(link));
            }
            nodes.add(node.build(nodes.size(), timed));
            checkTicks(node);
        }
        TopologyGraph built = new TopologyGraph(graph.name(), nodes, edges, feedback(nodes));
        for (Node node : nodes) {
            if (node.spec().sink() == null && built.outputsOf(node).isEmpty() && !leadsBack(built, node)) {
                throw graph.problem(node.name(), "its stream ends nowhere; lead it to a sink with to(…)");
            }
            checkSerializable(node.name(), node.spec());
            checkSerializable(node.name(), node.output());
        }
        checkOutputs(built);
        ReadOnce.check(graph.name(), nodes);
        return built;
    }

    private static boolean leadsBack(TopologyGraph built, Node node) {
        return built.feedback().stream().anyMatch(edge -> edge.from() == node.id());
    }

    // ---- streams

    private List<Edge> feedback(List<Node> nodes) {
        List<Edge> back = new ArrayList<>();
        for (GraphDraft.Link link : draft.feedback()) {
            checkEnds(link);
            if (!leadsTo(link.to(), link.from())) {
                throw graph.problem(
                        link.to().name(),
                        "the feedback of '" + link.from().name()
                                + "' does not lead back; connect it without feedback()");
            }
            if (nodes.get(id(link.to())).timed() && !nodes.get(id(link.from())).timed()) {
                throw graph.problem(
                        link.to().name(),
                        "its records have event times, and what '" + link.from().name()
                                + "' leads back to it has none; lead back from an operator that keeps them");
            }
            back.add(edge(link));
        }
        return back;
    }

    /** Along streams that do not lead back. */
    private boolean leadsTo(NodeBuilder from, NodeBuilder to) {
        Set<String> before = new HashSet<>(Set.of(to.name()));
        List<NodeBuilder> order = draft.nodes();
        for (int i = order.size() - 1; i >= 0; i--) { // those before have lower numbers
            NodeBuilder node = order.get(i);
            if (before.contains(node.name())) {
                draft.into(node).forEach(link -> before.add(link.from().name()));
            }
        }
        return before.contains(from.name());
    }

    /** Each input is led to, and by one stream; a union by any number. */
    private void checkInputs(NodeBuilder node, List<GraphDraft.Link> links) {
        NodeSpec spec = node.spec();
        links.forEach(this::checkEnds);
        node.inputsDeclared().forEach(input -> checkNumber(node, input, "a type is declared for"));
        for (int input = 0; input < spec.inputs(); input++) {
            int number = input;
            List<GraphDraft.Link> of =
                    links.stream().filter(link -> link.edge().input() == number).toList();
            String which = spec.inputs() == 1 ? "it" : "its " + (input == 0 ? "first" : "second") + " input";
            if (of.isEmpty()) {
                throw graph.problem(node.name(), "nothing leads to " + which + "; connect an operator with it");
            }
            if (of.size() > 1 && !(spec instanceof NodeSpec.Union)) {
                throw graph.problem(
                        node.name(),
                        "the streams of " + names(of) + " lead to " + which
                                + ", which takes one; unite them with a union before it");
            }
        }
    }

    private void checkEnds(GraphDraft.Link link) {
        checkNumber(link.to(), link.edge().input(), "stream '" + link.from().name() + "' is led to");
        if (link.from().spec().sink() != null) {
            throw graph.problem(
                    link.to().name(),
                    "it is to get the stream of '" + link.from().name() + "', which is a sink and emits nothing");
        }
    }

    private void checkNumber(NodeBuilder node, int input, String what) {
        int inputs = node.spec().inputs();
        if (input < 0 || input >= inputs) {
            throw graph.problem(
                    node.name(),
                    what + " its input " + input + ", and a " + node.spec().kind() + " has "
                            + (inputs == 0 ? "none" : inputs == 1 ? "only input 0" : "inputs 0 and 1"));
        }
    }

    private static String names(List<GraphDraft.Link> links) {
        return String.join(
                " and ",
                links.stream().map(link -> "'" + link.from().name() + "'").toList());
    }

    private Edge edge(GraphDraft.Link link) {
        NodeBuilder to = link.to();
        Type<Object> type = link.edge().type(link.from());
        if (type == null) {
            throw untyped(link.from());
        }
        if (link.edge().side() != null) {
            SideOutputs.check(graph.name(), link.from(), link.edge().port(), type);
        }
        checkFits(link, type);
        Grouping grouping = link.grouping();
        checkGrouping(link, grouping);
        if (grouping instanceof Grouping.Direct) {
            checkDirect(link, type);
        }
        KeySpec key = grouping.key();
        if (key != null) {
            graph.checkKey(to.name(), key.type());
        }
        checkSerializable(to.name(), grouping);
        return new Edge(id(link.from()), link.edge().port(), id(to), link.edge().input(), grouping, type);
    }

    private int id(NodeBuilder node) {
        Integer id = ids.get(node.name());
        if (id == null) {
            throw new IllegalStateException("'" + node.name() + "' is not in the graph");
        }
        return id;
    }

    private void checkFits(GraphDraft.Link link, Type<Object> type) {
        NodeBuilder to = link.to();
        Type<?> taken = to.spec() instanceof NodeSpec.Union
                ? to.output()
                : to.taken(link.edge().input());
        if (taken != null && !taken.raw().isAssignableFrom(type.raw())) {
            throw graph.problem(
                    to.name(),
                    "it takes " + taken + ", and '" + link.from().name() + "'"
                            + (link.edge().side() == null
                                    ? ""
                                    : " (side '" + link.edge().port() + "')") + " emits "
                            + type
                            + "; convert them with a map between the two, or correct the type with as(Type.of(…))");
        }
    }

    private void checkGrouping(GraphDraft.Link link, Grouping grouping) {
        NodeSpec spec = link.to().spec();
        int input = link.edge().input();
        KeySpec key = spec.keyedBy(input);
        if (key != null && !key.equals(grouping.key())) {
            throw graph.problem(
                    link.to().name(),
                    "a " + spec.kind() + " needs the records of '" + link.from().name()
                            + "' grouped by its own key, and they are grouped " + grouping.describe()
                            + "; leave the grouping out, or use new Grouping.ByKey(…) with the same KeySpec");
        }
        boolean keepsCopies = spec instanceof NodeSpec.Broadcast || spec instanceof NodeSpec.KeyedBroadcast;
        if (keepsCopies && input == 1 && !grouping.copies()) {
            throw graph.problem(
                    link.to().name(),
                    "each of its tasks must get all records of '" + link.from().name() + "', and they are grouped "
                            + grouping.describe() + "; use new Grouping.Broadcast()");
        }
    }

    private void checkDirect(GraphDraft.Link link, Type<Object> type) {
        if (!Addressed.class.isAssignableFrom(type.raw())) {
            throw graph.problem(
                    link.to().name(),
                    "the records of '" + link.from().name() + "' are grouped direct, and a " + type
                            + " names no task; let it implement Addressed");
        }
        if (link.to().parallelism() == 0) {
            throw graph.problem(
                    link.to().name(),
                    "the records of '" + link.from().name()
                            + "' name its tasks, and the run decides how many there are; give it a parallelism(n)");
        }
    }

    // ---- types

    /** Whether it emits the records that come in, so that their type is its own. */
    private static boolean passesOn(NodeSpec spec) {
        return spec instanceof NodeSpec.Filter
                || spec instanceof NodeSpec.Peek
                || spec instanceof NodeSpec.Union
                || spec instanceof NodeSpec.EventTime
                || spec instanceof NodeSpec.Distinct
                || spec instanceof Limit;
    }

    private static void passTypeOn(NodeBuilder node, List<GraphDraft.Link> inputs) {
        if (node.output() == null && passesOn(node.spec())) {
            GraphDraft.Link first = inputs.get(0);
            Type<Object> type = first.edge().type(first.from());
            if (type != null) {
                node.as(type);
            }
        }
    }

    private void checkType(NodeBuilder node) {
        if (node.spec().sink() != null) {
            return;
        }
        Type<Object> type = node.output();
        if (type == null) {
            throw untyped(node);
        }
        try {
            type.codec();
        } catch (CodecException e) {
            throw graph.problem(node.name(), "its records cannot be written as bytes: " + e.getMessage());
        }
    }

    private TopologyException untyped(NodeBuilder node) {
        return graph.problem(
                node.name(),
                "the type of its records cannot be read from its function; say it with .as(Type.of(…)) right after it");
    }

    // ---- time

    /** True if what the node emits carries event times; checks that time is there where it is needed. */
    private boolean timed(NodeBuilder node, List<GraphDraft.Link> inputs, List<Node> before) {
        boolean timedIn = !inputs.isEmpty()
                && inputs.stream().allMatch(link -> before.get(id(link.from())).timed());
        return switch (node.spec().timing()) {
            case PASSES_ON -> timedIn;
            case ASSIGNS -> {
                checkAtSource(node);
                yield true;
            }
            case REQUIRES -> {
                if (!timedIn) {
                    throw graph.problem(
                            node.name(),
                            (node.spec().inputs() > 1
                                            ? "it joins by event time, which both streams need"
                                            : "a window needs event time")
                                    + "; give each of its sources eventTime(…) before the first grouping");
                }
                yield true;
            }
            case NONE -> false;
        };
    }

    /** Fails now rather than in each task. */
    private void checkTicks(NodeBuilder node) {
        try {
            if (node.spec() instanceof NodeSpec.Process process && process.ticks()) {
                process.describe();
            }
        } catch (IllegalArgumentException e) {
            throw graph.problem(node.name(), String.valueOf(e.getMessage()));
        }
    }

    private void checkAtSource(NodeBuilder node) {
        NodeBuilder at = node;
        List<GraphDraft.Link> inputs = draft.into(at);
        while (!inputs.isEmpty()) {
            GraphDraft.Link link = inputs.get(0);
            if (inputs.size() > 1
                    || !link.grouping().leadsOn()
                    || at.isIsolated()
                    || at.spec().asynchronous()
                    || link.from().isIsolated()
                    || at.spec().keyedBy(0) != null) {
                throw graph.problem(
                        node.name(),
                        "eventTime must come before the first grouping, union, connect, async, window or isolate(), where each"
                                + " record's split is still known; move it up to its source");
            }
            at = link.from();
            inputs = draft.into(at);
        }
    }

    // ---- what functions and sinks hold

    private void checkOutputs(TopologyGraph built) {
        Outputs outputs = new Outputs();
        for (Node node : built.nodes()) {
            Sink<Object> sink = node.spec().sink();
            for (WriteTarget place : sink == null ? List.<WriteTarget>of() : sink.writes()) {
                Outputs.Clash clash = outputs.add(node.name(), place);
                if (clash != null) {
                    throw graph.problem(
                            node.name(),
                            "it writes to " + place + ", and operator '" + clash.operator() + "' to " + clash.there()
                                    + "; give each sink an output of its own, or lead both streams to one sink with"
                                    + " union(…)");
                }
                checkIsNotRead(built, node, place);
            }
        }
    }

    private void checkIsNotRead(TopologyGraph built, Node node, WriteTarget place) {
        Node reader = place instanceof WriteTarget.Topic ? null : built.readerOf(place);
        if (reader != null) {
            throw graph.problem(
                    node.name(),
                    "it writes to " + place + ", which operator '" + reader.name()
                            + "' reads, so that the job would read its own results; write to a file or directory that no"
                            + " source of the job reads, or name the inputs so that the output is not among them");
        }
    }

    private void checkSerializable(String operator, @Nullable Object part) {
        try (ObjectOutputStream out = new ObjectOutputStream(OutputStream.nullOutputStream())) {
            out.writeObject(part);
        } catch (NotSerializableException e) {
            String found = Captures.problemIn(part);
            throw graph.problem(
                    operator,
                    found != null
                            ? found
                            : "what it was given cannot be serialized, because of " + e.getMessage()
                                    + "; capture only serializable values, and make what is not inside the operator");
        } catch (IOException e) {
            throw graph.problem(operator, "what it was given cannot be serialized: " + e.getMessage());
        }
    }
}
