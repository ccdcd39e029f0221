// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.codec.StableHash;
import io.thalweg.api.codec.Type;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.GraphDescription;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.graph.WatermarkSteps;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.window.WindowSpec;
import io.thalweg.flink.record.ByKey;
import io.thalweg.flink.record.CodecType;
import io.thalweg.flink.report.Place;
import io.thalweg.flink.source.SplitSource;
import io.thalweg.flink.stage.AlignedWindows;
import io.thalweg.flink.stage.Distinct;
import io.thalweg.flink.stage.EventTime;
import io.thalweg.flink.stage.KeyedProcess;
import io.thalweg.flink.stage.Plain;
import io.thalweg.flink.stage.Process;
import io.thalweg.flink.stage.Running;
import io.thalweg.flink.stage.SessionWindows;
import io.thalweg.flink.stage.Shape;
import io.thalweg.flink.stage.SinkStage;
import io.thalweg.flink.stage.TableJoin;
import io.thalweg.flink.stage.WholeWindow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.runtime.OperatorIDPair;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/** A graph as a DataStream job: an operator of Flink for each node, a partitioner for each grouping. */
final class Translation {
    /**
     * How it is to run.
     *
     * @param parallelism of what does not say
     * @param restoring how sources are read on
     * @param fresh names of operators that are not to find their former state
     */
    record Options(int parallelism, boolean failOnBad, SplitSource.Restoring restoring, Set<String> fresh) {
        boolean checkpoints() {
            return restoring.checkpoints();
        }
    }

    private static final String ANEW = " (begun anew)";
    private static final Pattern OF_GRAPH = Pattern.compile(" \\(of graph [0-9a-f]{8}\\)$");

    private final TopologyGraph graph;
    private final GraphDescription description;
    private final Options options;
    private final StreamExecutionEnvironment environment;
    private final Map<Integer, SingleOutputStreamOperator<Object>> made = new HashMap<>();

    /** Small operators of our own so far. */
    private int betweens;

    private Translation(TopologyGraph graph, Options options, StreamExecutionEnvironment environment) {
        this.graph = graph;
        description = GraphDescription.of(graph);
        this.options = options;
        this.environment = environment;
    }

    /** Describes the graph's operators in an environment. */
    static void into(StreamExecutionEnvironment environment, TopologyGraph graph, Options options) {
        environment.setMaxParallelism(StableHash.KEY_GROUPS);
        Translation translation = new Translation(graph, options, environment);
        graph.nodes().forEach(translation::add);
    }

    private int parallelism(Node node) {
        return graph.parallelism(node, options.parallelism());
    }

    private void add(Node node) {
        boolean source = node.spec() instanceof NodeSpec.Source;
        SingleOutputStreamOperator<Object> stream =
                source ? source(node) : input(node).transform(node.name(), outputType(node), operator(node));
        stream.name(node.name()).uid(uid(node)).setParallelism(parallelism(node));
        if (node.isolated() || (node.blocking() && !source)) {
            stream.disableChaining();
        }
        made.put(node.id(), stream);
    }

    /**
     * What Flink finds an operator's state by. The name that an operator has by its place says nothing in another graph, so that
     * its state has no owner there.
     */
    private String uid(Node node) {
        String place = node.named() ? "" : " (of graph " + description.checksum() + ")";
        return node.name() + place + (options.fresh().contains(node.name()) ? ANEW : "");
    }

    /** The operator's name, from its uid. */
    static String nameOf(String uid) {
        return OF_GRAPH.matcher(uid.replaceFirst(Pattern.quote(ANEW) + "$", "")).replaceFirst("");
    }

    /** True where the user gave the operator no name. */
    static boolean isUnnamed(String uid) {
        return OF_GRAPH.matcher(uid.replaceFirst(Pattern.quote(ANEW) + "$", "")).find();
    }

    private Place place(Node node) {
        return new Place(graph.name(), node.name(), options.failOnBad());
    }

    private SingleOutputStreamOperator<Object> source(Node node) {
        NodeSpec.Source spec = (NodeSpec.Source) node.spec();
        return environment.fromSource(
                new SplitSource(spec.source(), place(node), options.restoring()),
                WatermarkStrategy.noWatermarks(),
                node.name(),
                outputType(node));
    }

    /** What leaves a sink nobody sees; Flink wants a type all the same. */
    private org.apache.flink.api.common.typeinfo.TypeInformation<Object> outputType(Node node) {
        Type<Object> type = node.output();
        return type == null
                ? CodecType.ofStream(graph.inputsOf(node).get(0).type(), false)
                : CodecType.ofStream(type, node.timed());
    }

    // ---- edges

    private DataStream<Object> input(Node node) {
        List<Edge> edges = graph.inputsOf(node);
        if (edges.size() == 1) {
            return grouped(edges.get(0), stream(edges.get(0)));
        }
        DataStream<Object> all = null;
        for (Edge edge : edges) {
            DataStream<Object> stream = grouped(edge, alike(edge, node, stream(edge)));
            all = all == null ? stream : all.union(stream);
        }
        if (all == null) {
            throw new TopologyException(graph.name(), node.name(), "nothing leads to it");
        }
        return all;
    }

    /** What an edge carries, before it is grouped. */
    private DataStream<Object> stream(Edge edge) {
        Node from = graph.node(edge.from());
        SingleOutputStreamOperator<Object> operator = made.get(edge.from());
        if (operator == null) {
            throw new IllegalStateException("nodes are not in order");
        }
        DataStream<Object> stream = edge.port().equals(Edge.MAIN)
                ? operator
                : operator.getSideOutput(tag(edge.port(), edge.type(), from.timed()));
        List<Edge> siblings = graph.outputsOf(from).stream()
                .filter(other -> other.port().equals(edge.port()))
                .toList();
        boolean copy = reused(from) && siblings.indexOf(edge) < siblings.size() - 1;
        if (!copy) {
            return stream;
        }
        Place place = between("copy", edge);
        Shape same = new Shape(place, from.timed(), from.timed(), false, false);
        return add(edge, stream, from.timed(), place, new Plain.Copy(same, edge.type()));
    }

    /** Names a small operator of our own; what is bad there is counted under this name. */
    private Place between(String what, Edge edge) {
        String from = graph.node(edge.from()).name();
        String port = edge.port().equals(Edge.MAIN) ? "" : " (" + edge.port() + ")";
        String to = graph.node(edge.to()).name();
        String name = what + " " + ++betweens + ": " + from + port + " for " + to;
        return new Place(graph.name(), name, options.failOnBad());
    }

    /** Puts it behind a stream, fused with what is before it. */
    private DataStream<Object> add(
            Edge edge,
            DataStream<Object> stream,
            boolean timed,
            Place place,
            OneInputStreamOperator<Object, Object> operator) {
        return stream.transform(place.operator(), CodecType.ofStream(edge.type(), timed), operator)
                .setParallelism(parallelism(graph.node(edge.from())));
    }

    /** Streams that meet carry stamps all or none, and their records have keys. */
    private DataStream<Object> alike(Edge edge, Node to, DataStream<Object> stream) {
        Node from = graph.node(edge.from());
        DataStream<Object> alike = stream;
        if (from.timed() && !to.timed()) {
            Place place = between("timeless", edge);
            Shape untimed = new Shape(place, true, false, false, false);
            alike = add(edge, alike, false, place, new Plain.Same(untimed));
        }
        if (edge.grouping() instanceof Grouping.ByKey byKey) {
            boolean timed = from.timed() && to.timed();
            Place place = between("keyed", edge);
            Shape same = new Shape(place, timed, timed, false, false);
            alike = add(edge, alike, timed, place, new Plain.HasKey(same, byKey.key()));
        }
        return alike;
    }

    private DataStream<Object> grouped(Edge edge, DataStream<Object> stream) {
        Node from = graph.node(edge.from());
        Node to = graph.node(edge.to());
        int before = parallelism(from);
        int after = parallelism(to);
        Grouping grouping = edge.grouping();
        if (grouping instanceof Grouping.Forward && before != after) {
            throw new TopologyException(
                    graph.name(),
                    to.name(),
                    "forward from '" + from.name() + "' needs equal parallelism, but it is " + before + " there and "
                            + after + " here");
        }
        if (grouping instanceof Grouping.ByKey byKey) {
            boolean stamped = from.timed() && (to.timed() || graph.inputsOf(to).size() == 1);
            return new KeyedStream<>(
                    stream,
                    new ByKey(byKey.key(), stamped),
                    CodecType.ofKey(byKey.key().type()));
        }
        if ((before == 1 && after == 1) || (before == after && grouping.leadsOn())) {
            return stream.forward();
        }
        if (grouping instanceof Grouping.Broadcast) {
            return stream.broadcast();
        }
        return grouping instanceof Grouping.Global ? stream.global() : stream.rebalance();
    }

    private static OutputTag<Object> tag(String port, Type<Object> type, boolean timed) {
        return new OutputTag<>(port, CodecType.ofStream(type, timed));
    }

    /** The side outputs of a node that anybody reads. */
    private Map<String, OutputTag<Object>> sides(Node node) {
        Map<String, OutputTag<Object>> tags = new HashMap<>();
        for (Edge edge : graph.outputsOf(node)) {
            if (!edge.port().equals(Edge.MAIN)) {
                tags.put(edge.port(), tag(edge.port(), edge.type(), node.timed()));
            }
        }
        return tags;
    }

    // ---- operators

    private OneInputStreamOperator<Object, Object> operator(Node node) {
        List<Edge> inputs = graph.inputsOf(node);
        boolean one = inputs.size() == 1;
        boolean timedIn = one ? graph.node(inputs.get(0).from()).timed() : node.timed();
        boolean keyed = one && inputs.get(0).grouping() instanceof Grouping.ByKey;
        boolean timedOut = node.timed() && node.output() != null;
        Shape shape = new Shape(place(node), timedIn, timedOut, keyed, options.checkpoints());
        NodeSpec spec = node.spec();
        if (spec instanceof NodeSpec.Map map) {
            return new Plain.Map(shape, map.function());
        }
        if (spec instanceof NodeSpec.Filter filter) {
            return new Plain.Filter(shape, filter.function());
        }
        if (spec instanceof NodeSpec.FlatMap flatMap) {
            return new Plain.FlatMap(shape, flatMap.function());
        }
        if (spec instanceof NodeSpec.Peek peek) {
            return new Plain.Peek(shape, peek.function());
        }
        if (spec instanceof NodeSpec.Union) {
            return new Plain.Same(shape);
        }
        if (spec instanceof NodeSpec.EventTime time) {
            return new EventTime(shape, time, WatermarkSteps.at(graph, node));
        }
        if (spec instanceof NodeSpec.TableJoin join) {
            return new TableJoin(shape, join);
        }
        if (spec instanceof NodeSpec.Sink sink) {
            return new SinkStage(shape, sink.sink(), inputs.get(0).type());
        }
        if (spec instanceof NodeSpec.Process process) {
            Node from = graph.node(inputs.get(0).from());
            return new Process(
                    shape,
                    process.supplier(),
                    sides(node),
                    reused(from) ? inputs.get(0).type() : null);
        }
        return keyed(node, shape);
    }

    private OneInputStreamOperator<Object, Object> keyed(Node node, Shape shape) {
        NodeSpec spec = node.spec();
        if (spec instanceof NodeSpec.KeyedProcess process) {
            return new KeyedProcess(shape, process.supplier(), sides(node));
        }
        if (spec instanceof NodeSpec.Running running) {
            return new Running(shape, running.aggregate());
        }
        if (spec instanceof NodeSpec.Distinct) {
            return new Distinct(shape);
        }
        if (spec instanceof NodeSpec.Window window) {
            return window(node, window, shape);
        }
        throw new TopologyException(graph.name(), node.name(), "Flink has nothing for a " + spec.describe());
    }

    private OneInputStreamOperator<Object, Object> window(Node node, NodeSpec.Window window, Shape shape) {
        SideOutput<Object> side = window.late();
        @Nullable OutputTag<Object> late = side == null ? null : sides(node).get(side.name());
        if (window.window() instanceof WindowSpec.Aligned aligned) {
            return new AlignedWindows(shape, aligned, window.aggregate(), window.allowedLatenessMs(), late);
        }
        return window.window() instanceof WindowSpec.Session session
                ? new SessionWindows(shape, session.gapMs(), window.aggregate(), window.allowedLatenessMs(), late)
                : new WholeWindow(shape, window.aggregate());
    }

    /** True where what the node emits may be an object that its source fills anew. */
    private boolean reused(Node node) {
        NodeSpec spec = node.spec();
        if (node.output() == null || node.output().codec().immutable()) {
            return false;
        }
        if (spec instanceof NodeSpec.Source source) {
            return source.source().reusesRecords();
        }
        boolean copies = spec instanceof NodeSpec.Window
                || spec instanceof NodeSpec.Process
                || spec instanceof NodeSpec.KeyedProcess;
        List<Edge> inputs = graph.inputsOf(node);
        return !copies && inputs.size() == 1 && reused(graph.node(inputs.get(0).from()));
    }

    /** Names of the topology's operators that a vertex chains, in order. */
    static List<String> operators(JobVertex vertex) {
        List<String> names = new ArrayList<>();
        for (OperatorIDPair pair : vertex.getOperatorIDs()) {
            String uid = pair.getUserDefinedOperatorUid();
            if (uid != null) { // what we put between has none
                names.add(nameOf(uid));
            }
        }
        Collections.reverse(names);
        return names;
    }

    /** Names of the sinks' and sources' nodes, for what is counted. */
    static List<String> names(TopologyGraph graph, Class<? extends NodeSpec> kind) {
        List<String> names = new ArrayList<>();
        for (Node node : graph.nodes()) {
            if (kind.isInstance(node.spec())) {
                names.add(node.name());
            }
        }
        return names;
    }
}
