// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.codec.StableHash;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Source;
import io.thalweg.api.graph.Demand;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.GraphDescription;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.graph.GroupingVisitor;
import io.thalweg.api.graph.KeySpec;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.flink.record.ByKey;
import io.thalweg.flink.record.ByPartitioner;
import io.thalweg.flink.record.CodecType;
import io.thalweg.flink.record.StableKey;
import io.thalweg.flink.report.AllOpened;
import io.thalweg.flink.report.OperatorInfo;
import io.thalweg.flink.source.SplitSource;
import io.thalweg.flink.stage.Plain;
import io.thalweg.flink.stage.StageSettings;
import io.thalweg.flink.stage.Stamps;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.operators.SlotSharingGroup;
import org.apache.flink.runtime.OperatorIDPair;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSource;
import org.apache.flink.streaming.api.datastream.DataStreamUtils;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.transformations.SourceTransformation;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/** Translates a graph to a DataStream job: an operator of Flink for each node, a partitioner for each grouping. */
final class Translation {
    /**
     * How the job runs.
     *
     * @param parallelism of operators that do not set theirs
     * @param acceptChanged sources continue at their saved positions even if the input has changed
     * @param saved the checkpoint that the job is restored from; null if it begins
     * @param fresh names of operators whose state is not restored
     * @param slots slot sharing groups, by names of operators
     */
    record Options(
            int parallelism,
            boolean failOnBad,
            Guarantee guarantee,
            boolean acceptChanged,
            @Nullable CheckpointMetadata saved,
            Set<String> fresh,
            Map<String, SlotSharingGroup> slots) {}

    private static final String ANEW = " (begun anew)";
    private static final Pattern OF_GRAPH = Pattern.compile(" \\(of graph [0-9a-f]{8}\\)$");

    private final TopologyGraph graph;
    private final GraphDescription description;
    private final Demand demand;
    private final Options options;
    private final StreamExecutionEnvironment environment;
    private final @Nullable AllOpened allOpened;
    private final Map<Integer, SingleOutputStreamOperator<Object>> made = new HashMap<>();

    /** Number of auxiliary operators so far. */
    private int betweens;

    private Translation(TopologyGraph graph, Options options, StreamExecutionEnvironment environment) {
        this.graph = graph;
        description = GraphDescription.of(graph);
        demand = Demand.of(graph);
        this.options = options;
        this.environment = environment;
        CheckpointMetadata saved = options.saved();
        allOpened = saved == null ? null : new AllOpened(saved.getCheckpointId(), operatorsOpening(saved));
    }

    /** All operators but those that Flink does not open again, because all of their tasks had ended. */
    private int operatorsOpening(CheckpointMetadata saved) {
        Set<String> ended = saved.getOperatorStates().stream()
                .filter(OperatorState::isFullyFinished)
                .map(state -> state.getOperatorUid().orElse(""))
                .collect(Collectors.toSet());
        return (int) graph.nodes().stream()
                .filter(node -> !ended.contains(uid(node)))
                .count();
    }

    /** Adds the operators of a graph to an environment. */
    static void into(StreamExecutionEnvironment environment, TopologyGraph graph, Options options) {
        environment.setMaxParallelism(StableHash.KEY_GROUPS);
        Translation translation = new Translation(graph, options, environment);
        graph.nodes().forEach(translation::add);
    }

    private int parallelism(Node node) {
        return graph.parallelism(node, options.parallelism());
    }

    private void add(Node node) {
        Source<Object> source = node.spec().source();
        SingleOutputStreamOperator<Object> stream =
                source != null ? source(node, source) : operator(node).behind(inputs(node), outputType(node));
        stream.name(node.name()).uid(uid(node)).setParallelism(parallelism(node));
        if (isApart(node) || graph.inputsOf(node).stream().anyMatch(edge -> isApart(graph.node(edge.from())))) {
            stream.startNewChain(); // what only prepares a grouping is still chained behind it
        }
        SlotSharingGroup slots = options.slots().get(node.name());
        if (slots != null) {
            stream.slotSharingGroup(slots);
        }
        made.put(node.id(), stream);
    }

    private static boolean isApart(Node node) {
        return node.isolated() || keepsApart(node);
    }

    /** True if the operator may block, so that it must not be chained with others. */
    static boolean keepsApart(Node node) {
        return node.blocking() && node.spec().source() == null;
    }

    /**
     * The uid by which Flink finds an operator's state. A name that is derived from the operator's place gets a
     * different uid in another graph, so that its state has no owner there.
     */
    private String uid(Node node) {
        String place = node.named() ? "" : " (of graph " + description.checksum() + ")";
        return node.name() + place + (options.fresh().contains(node.name()) ? ANEW : "");
    }

    /** The operator's name, from its uid. */
    static String nameOf(String uid) {
        return OF_GRAPH.matcher(uid.replaceFirst(Pattern.quote(ANEW) + "$", "")).replaceFirst("");
    }

    /** True if the user gave the operator no name. */
    static boolean isUnnamed(String uid) {
        return OF_GRAPH.matcher(uid.replaceFirst(Pattern.quote(ANEW) + "$", "")).find();
    }

    private OperatorInfo place(Node node) {
        return new OperatorInfo(graph.name(), node.name(), options.failOnBad());
    }

    private SingleOutputStreamOperator<Object> source(Node node, Source<Object> source) {
        DataStreamSource<Object> stream = environment.fromSource(
                new SplitSource(
                        source,
                        place(node),
                        new SplitSource.Restoring(
                                options.guarantee() != Guarantee.NONE, options.acceptChanged(), allOpened),
                        new SplitSource.Wanted(node.id(), demand)),
                WatermarkStrategy.noWatermarks(),
                node.name(),
                outputType(node));
        if (!demand.limits().isEmpty()) {
            ((SourceTransformation<?, ?, ?>) stream.getTransformation()).setCoordinatorListeningID(listener(node));
        }
        return stream;
    }

    private List<String> listeners() {
        return graph.nodes().stream()
                .filter(node -> node.spec().source() != null)
                .map(Translation::listener)
                .toList();
    }

    /** The id by which a limit finds the coordinator of a source. */
    private static String listener(Node source) {
        return "thalweg-source-" + source.id();
    }

    /** A sink has no output, but Flink requires a type. */
    private org.apache.flink.api.common.typeinfo.TypeInformation<Object> outputType(Node node) {
        Type<Object> type = node.output();
        return type == null
                ? CodecType.ofStream(graph.inputsOf(node).get(0).type(), false)
                : CodecType.ofStream(type, node.timed());
    }

    // ---- edges

    private List<DataStream<Object>> inputs(Node node) {
        List<DataStream<Object>> inputs = new ArrayList<>();
        for (int input = 0; input < node.spec().inputs(); input++) {
            inputs.add(input(node, input));
        }
        return inputs;
    }

    /** Edges that lead to this input of the node. */
    private List<Edge> edges(Node node, int input) {
        return graph.inputsOf(node).stream()
                .filter(edge -> edge.input() == input)
                .toList();
    }

    private DataStream<Object> input(Node node, int input) {
        List<Edge> edges = edges(node, input);
        if (edges.size() == 1) {
            Edge edge = edges.get(0);
            return keyIsOfNoUse(edge) ? partitioned(edge) : grouped(edge, stream(edge));
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

    /** True if the edge is grouped by key but its operator, with two inputs, is not keyed, so that key types may differ. */
    private boolean keyIsOfNoUse(Edge edge) {
        NodeSpec to = graph.node(edge.to()).spec();
        return to.inputs() > 1
                && to.keyedBy(edge.input()) == null
                && edge.grouping().key() != null;
    }

    /** A stream whose records go to the task of their key, but which is not a KeyedStream. */
    private DataStream<Object> partitioned(Edge edge) {
        boolean timed = graph.node(edge.from()).timed();
        return new DataStream<>(
                environment, grouped(edge, withKeys(edge, stream(edge), timed)).getTransformation());
    }

    /** The stream of an edge, before it is grouped. */
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
        OperatorInfo place = between("copy", edge);
        StageSettings same = new StageSettings(place, from.timed(), from.timed(), false, Guarantee.NONE, null);
        return add(edge, stream, from.timed(), place, new Plain.Copy(same, edge.type()));
    }

    /** Names an auxiliary operator; its bad records are counted under this name. */
    private OperatorInfo between(String what, Edge edge) {
        String from = graph.node(edge.from()).name();
        String port = edge.port().equals(Edge.MAIN) ? "" : " (" + edge.port() + ")";
        String to = graph.node(edge.to()).name();
        String name = what + " " + ++betweens + ": " + from + port + " for " + to;
        return new OperatorInfo(graph.name(), name, options.failOnBad());
    }

    /** Adds an operator to a stream, chained with the one before. */
    private DataStream<Object> add(
            Edge edge,
            DataStream<Object> stream,
            boolean timed,
            OperatorInfo place,
            OneInputStreamOperator<Object, Object> operator) {
        return stream.transform(place.operator(), CodecType.ofStream(edge.type(), timed), operator)
                .setParallelism(parallelism(graph.node(edge.from())));
    }

    /** Makes streams of one operator alike: all or none of them carry stamps. */
    private DataStream<Object> alike(Edge edge, Node to, DataStream<Object> stream) {
        Node from = graph.node(edge.from());
        DataStream<Object> alike = stream;
        if (from.timed() && !to.timed()) {
            OperatorInfo place = between("timeless", edge);
            StageSettings untimed = new StageSettings(place, true, false, false, Guarantee.NONE, null);
            alike = add(edge, alike, false, place, new Plain.Same(untimed));
        }
        return withKeys(edge, alike, from.timed() && to.timed());
    }

    /** Reports records whose key cannot be computed, before the grouping. */
    private DataStream<Object> withKeys(Edge edge, DataStream<Object> stream, boolean timed) {
        KeySpec key = edge.grouping().key();
        return key == null ? stream : with("keyed", key, edge, stream, timed);
    }

    /** Adds an operator that reports records whose key cannot be computed. */
    private DataStream<Object> with(String what, KeySpec key, Edge edge, DataStream<Object> stream, boolean timed) {
        OperatorInfo place = between(what, edge);
        StageSettings same = new StageSettings(place, timed, timed, false, Guarantee.NONE, null);
        return add(edge, stream, timed, place, new Plain.HasKey(same, key));
    }

    private DataStream<Object> grouped(Edge edge, DataStream<Object> stream) {
        Node from = graph.node(edge.from());
        Node to = graph.node(edge.to());
        int before = parallelism(from);
        int after = parallelism(to);
        if (edge.grouping().needsEqualParallelism() && before != after) {
            throw new TopologyException(
                    graph.name(),
                    to.name(),
                    "forward from '" + from.name() + "' needs equal parallelism, but it is " + before + " there and "
                            + after + " here");
        }
        boolean straight = before == after && (before == 1 || edge.grouping().leadsOn());
        boolean stamped = from.timed() && timedIn(to, edge.input());
        return edge.grouping().accept(new GroupingVisitor<>() {
            @Override
            public DataStream<Object> inTurn(Grouping.InTurn grouping) {
                return straight ? stream.forward() : stream.rebalance();
            }

            @Override
            public DataStream<Object> forward(Grouping.Forward grouping) {
                return stream.forward();
            }

            @Override
            public DataStream<Object> byKey(Grouping.ByKey grouping) {
                ByKey key = new ByKey(grouping.key(), stamped);
                CodecType<StableKey> type = CodecType.ofKey(grouping.key().type());
                return before == 1 && after == 1 // each record is where its key is, and an exchange would only cost
                        ? DataStreamUtils.reinterpretAsKeyedStream(stream, key, type)
                        : new KeyedStream<>(stream, key, type);
            }

            @Override
            public DataStream<Object> chosen(Grouping.Chosen grouping) {
                DataStream<Object> checked = with("partitioned", grouping.goesBy(after), edge, stream, stamped);
                return straight
                        ? checked.forward()
                        : checked.partitionCustom(new ByPartitioner(grouping, stamped), value -> value);
            }

            @Override
            public DataStream<Object> broadcast(Grouping.Broadcast grouping) {
                return straight ? stream.forward() : stream.broadcast();
            }

            @Override
            public DataStream<Object> global(Grouping.Global grouping) {
                return straight ? stream.forward() : stream.global();
            }
        });
    }

    private static OutputTag<Object> tag(String port, Type<Object> type, boolean timed) {
        return new OutputTag<>(port, CodecType.ofStream(type, timed));
    }

    /** The side outputs of a node that are used. */
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

    /** True if records of this input carry stamps; for several streams, all or none do. */
    private boolean timedIn(Node node, int input) {
        List<Edge> edges = edges(node, input);
        return edges.size() == 1 ? graph.node(edges.get(0).from()).timed() : node.timed();
    }

    private Operators.Made operator(Node node) {
        List<Edge> inputs = graph.inputsOf(node);
        boolean one = inputs.size() == 1;
        boolean two = node.spec().inputs() > 1;
        boolean keyed = two
                ? node.spec().keyedBy(0) != null
                : one && inputs.get(0).grouping().key() != null;
        StageSettings settings = new StageSettings(
                place(node),
                two ? node.timed() : timedIn(node, 0),
                node.timed() && node.output() != null,
                keyed,
                options.guarantee(),
                allOpened);
        Type<Object> copied =
                one && reused(graph.node(inputs.get(0).from())) ? inputs.get(0).type() : null;
        Stamps stamps = new Stamps(timedIn(node, 0), two && timedIn(node, 1));
        return node.spec().accept(new Operators(graph, node, settings, stamps, sides(node), listeners(), copied));
    }

    /** True if the node may emit an object that its source reuses. */
    private boolean reused(Node node) {
        if (node.output() == null || node.output().codec().immutable()) {
            return false;
        }
        Source<Object> source = node.spec().source();
        if (source != null) {
            return source.reusesRecords();
        }
        List<Edge> inputs = graph.inputsOf(node);
        return node.spec().passesInputOn()
                && inputs.size() == 1
                && reused(graph.node(inputs.get(0).from()));
    }

    /** The names of the topology's operators in a vertex, in order. */
    static List<String> operators(JobVertex vertex) {
        List<String> names = new ArrayList<>();
        for (OperatorIDPair pair : vertex.getOperatorIDs()) {
            String uid = pair.getUserDefinedOperatorUid();
            if (uid != null) { // auxiliary operators have none
                names.add(nameOf(uid));
            }
        }
        Collections.reverse(names);
        return names;
    }

    /** The names of the nodes for which {@code of} is true. */
    static List<String> names(TopologyGraph graph, Predicate<NodeSpec> of) {
        return graph.nodes().stream()
                .filter(node -> of.test(node.spec()))
                .map(Node::name)
                .toList();
    }
}
