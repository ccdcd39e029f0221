// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import io.thalweg.api.codec.CodecException;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.KeySpec;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Gathers nodes while a topology is described; checks them and makes the graph. */
final class GraphBuilder {
    private final String name;
    private final List<NodeDraft> drafts = new ArrayList<>();

    GraphBuilder(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /** @param inputs in the order of the operator's inputs if it has several, otherwise all of its one */
    NodeDraft add(NodeSpec spec, List<Stream<?>> inputs) {
        for (Stream<?> input : inputs) {
            if (input.builder() != this) {
                throw problem(
                        spec.kind(),
                        "it is given a stream of this topology and one of topology '"
                                + input.builder().name() + "'; streams that meet must come from one topology");
            }
        }
        NodeDraft draft = new NodeDraft(drafts.size(), spec, inputs);
        drafts.add(draft);
        return draft;
    }

    TopologyGraph build() {
        if (drafts.isEmpty()) {
            throw new TopologyException(name, "", "it has no operators; begin with from(source)");
        }
        drafts.forEach(NodeDraft::followWhole);
        nameAll();
        List<Node> nodes = new ArrayList<>();
        List<Edge> edges = new ArrayList<>();
        for (NodeDraft draft : drafts) {
            checkType(draft);
            boolean timed = timed(draft, nodes);
            for (int i = 0; i < draft.inputs.size(); i++) {
                Stream<?> input = draft.inputs.get(i);
                if (!input.port().equals(Edge.MAIN)) {
                    SideOutputs.check(name, input);
                }
                edges.add(edge(input, draft, draft.spec.inputs() > 1 ? i : 0));
            }
            nodes.add(new Node(
                    draft.id,
                    nameOf(draft),
                    draft.named,
                    draft.spec,
                    draft.parallelism,
                    draft.isolated,
                    draft.blocking,
                    draft.output,
                    timed));
        }
        TopologyGraph graph = new TopologyGraph(name, nodes, edges);
        for (Node node : nodes) {
            if (node.spec().sink() == null && graph.outputsOf(node).isEmpty()) {
                throw problem(node.name(), "its stream ends nowhere; lead it to a sink with to(…)");
            }
            checkSerializable(node.name(), node.spec());
            checkSerializable(node.name(), node.output());
        }
        checkOutputs(nodes);
        ReadOnce.check(name, nodes);
        return graph;
    }

    private void checkOutputs(List<Node> nodes) {
        Outputs outputs = new Outputs();
        for (Node node : nodes) {
            Sink<Object> sink = node.spec().sink();
            if (sink != null) {
                for (Path output : sink.outputs()) {
                    Outputs.Clash clash = outputs.add(node.name(), output);
                    if (clash != null) {
                        throw problem(
                                node.name(),
                                "it writes to " + clash.place() + ", and operator '" + clash.operator() + "' to "
                                        + clash.there()
                                        + "; give each sink an output of its own, or lead both streams to one sink with"
                                        + " union(…)");
                    }
                }
            }
        }
    }

    private void nameAll() {
        Set<String> taken = new HashSet<>();
        for (NodeDraft draft : drafts) {
            if (draft.name != null && !taken.add(draft.name)) {
                throw problem(draft.name, "the name is given to two operators; names must be unique");
            }
        }
        for (NodeDraft draft : drafts) {
            for (int number = 1; draft.name == null; number++) {
                String candidate = draft.spec.kind() + (number == 1 ? "" : "-" + number);
                if (taken.add(candidate)) {
                    draft.name = candidate;
                }
            }
        }
    }

    static String nameOf(NodeDraft draft) {
        return draft.name == null ? draft.spec.kind() : draft.name;
    }

    private Edge edge(Stream<?> from, NodeDraft to, int input) {
        Type<Object> type = from.type();
        if (type == null) {
            throw untyped(from.node());
        }
        KeySpec key = from.grouping().key();
        if (key != null) {
            checkKey(nameOf(to), key.type());
        }
        checkSerializable(nameOf(to), from.grouping());
        return new Edge(from.node().id, from.port(), to.id, input, from.grouping(), type);
    }

    private void checkType(NodeDraft draft) {
        if (draft.spec.sink() != null) {
            return;
        }
        Type<Object> type = draft.output;
        if (type == null) {
            throw untyped(draft);
        }
        try {
            type.codec();
        } catch (CodecException e) {
            throw problem(nameOf(draft), "its records cannot be written as bytes: " + e.getMessage());
        }
    }

    private TopologyException untyped(NodeDraft draft) {
        return problem(
                nameOf(draft),
                "the type of its records cannot be read from its function; say it with .as(Type.of(…)) right after it");
    }

    /** Checks that keys of this type can be written as bytes and found again. */
    void checkKey(String operator, Type<?> key) {
        Class<?> raw = key.raw();
        try {
            key.codec();
            if (raw.isArray()) {
                throw new CodecException("an array is equal only to itself; use a record or a List");
            }
            if (!raw.isInterface()
                    && !raw.isEnum()
                    && raw.getMethod("equals", Object.class).getDeclaringClass() == Object.class) {
                throw new CodecException(raw.getSimpleName() + " has no equals of its own; use a record");
            }
        } catch (CodecException e) {
            throw problem(operator, "its key cannot be used: " + e.getMessage());
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    /** True if what the node emits carries event times; checks that time is there where it is needed. */
    private boolean timed(NodeDraft draft, List<Node> nodes) {
        boolean timedIn = !draft.inputs.isEmpty()
                && draft.inputs.stream()
                        .allMatch(input -> nodes.get(input.node().id).timed());
        return switch (draft.spec.timing()) {
            case PASSES_ON -> timedIn;
            case ASSIGNS -> {
                checkAtSource(draft);
                yield true;
            }
            case REQUIRES -> {
                if (!timedIn) {
                    throw problem(
                            nameOf(draft),
                            (draft.spec.inputs() > 1
                                            ? "it joins by event time, which both streams need"
                                            : "a window needs event time")
                                    + "; give each of its sources eventTime(…) before the first grouping");
                }
                yield true;
            }
            case NONE -> false;
        };
    }

    private void checkAtSource(NodeDraft draft) {
        NodeDraft at = draft;
        while (!at.inputs.isEmpty()) {
            Stream<?> input = at.inputs.get(0);
            boolean straight = input.grouping().leadsOn();
            if (at.inputs.size() > 1
                    || !straight
                    || at.isolated
                    || at.spec.asynchronous()
                    || input.node().isolated
                    || at.spec.keyedBy(0) != null) {
                throw problem(
                        nameOf(draft),
                        "eventTime must come before the first grouping, union, connect, async, window or isolate(), where each"
                                + " record's split is still known; move it up to its source");
            }
            at = input.node();
        }
    }

    private void checkSerializable(String operator, @Nullable Object part) {
        try (ObjectOutputStream out = new ObjectOutputStream(OutputStream.nullOutputStream())) {
            out.writeObject(part);
        } catch (NotSerializableException e) {
            String found = Captures.problemIn(part);
            throw problem(
                    operator,
                    found != null
                            ? found
                            : "what it was given cannot be serialized, because of " + e.getMessage()
                                    + "; capture only serializable values, and make what is not inside the operator");
        } catch (IOException e) {
            throw problem(operator, "what it was given cannot be serialized: " + e.getMessage());
        }
    }

    TopologyException problem(String operator, String problem) {
        return new TopologyException(name, operator, problem);
    }
}
