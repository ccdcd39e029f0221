// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.oracle;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.graph.AsyncMap;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.GraphFeature;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.graph.IntervalJoin;
import io.thalweg.api.graph.KeySpec;
import io.thalweg.api.graph.KeyedAsyncMap;
import io.thalweg.api.graph.Limit;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.NodeVisitor;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.graph.WindowJoin;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.Keyed;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.run.FeatureRules;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Computes the expected result of a topology: reads its sources completely, then evaluates node after node, each over
 * the whole list of its input. Nothing is incremental, and no code is shared with an engine, so that both can be
 * compared. Sinks are not opened. The order of the elements is one of the orders that a run may have.
 *
 * <p>A graph with feedback is evaluated again and again, each time with what was led back the time before, until nothing more is. That is
 * what a run gives if the loops have no operators with time, or with state that depends on the order of records.
 *
 * <p>If allowed lateness lets a window emit several results, only the last one is returned; its stamp is the highest
 * that a run may give it.
 */
public final class SequentialInterpreter {
    private static final int MOST_EMPTY_POLLS = 1_000_000;

    /** Times further than this from the epoch, on either side, are bad. */
    private static final long LAST = 1L << 61;

    private final TopologyGraph graph;
    private final int parallelism;
    private final List<Ports> done = new ArrayList<>();
    private final Map<String, List<Element>> sinks = new LinkedHashMap<>();
    private int splits;

    /** What was led back along each edge in the evaluation before. */
    private final Map<Edge, List<Element>> back = new HashMap<>();

    private SequentialInterpreter(TopologyGraph graph, int parallelism) {
        FeatureRules.check(graph, "the oracle", Set.of(GraphFeature.DIRECT_GROUPING, GraphFeature.FEEDBACK));
        this.graph = graph;
        this.parallelism = parallelism;
    }

    /** @param parallelism of operators that do not set theirs; matters only to broadcasts and to sources that split by it */
    public static Interpretation interpret(TopologyGraph graph, int parallelism) {
        return new SequentialInterpreter(graph, parallelism).interpret();
    }

    private Interpretation interpret() {
        Interpretation result = evaluate();
        for (long before = 0; before < ledBack(); result = evaluate()) {
            before = ledBack();
            back.clear();
            graph.feedback()
                    .forEach(edge -> back.put(edge, done.get(edge.from()).on(edge.port())));
            done.clear();
            sinks.clear();
            splits = 0;
        }
        return result;
    }

    private long ledBack() {
        return graph.feedback().stream()
                .mapToLong(edge -> done.get(edge.from()).on(edge.port()).size())
                .sum();
    }

    private Interpretation evaluate() {
        Map<String, Long> bad = new LinkedHashMap<>();
        Map<String, Long> late = new LinkedHashMap<>();
        for (Node node : graph.nodes()) {
            Ports ports = new Ports(node);
            List<Element> first = inputOf(node, 0, ports);
            List<Element> second = inputOf(node, 1, ports);
            long badKeys = ports.bad;
            done.add(node.spec().accept(new Evaluation(node, first, second, ports)));
            checkCardinality(
                    node,
                    first.size() + second.size(),
                    ports.bad - badKeys,
                    ports.on(Edge.MAIN).size());
            if (ports.bad > 0) {
                bad.put(node.name(), ports.bad);
            }
            if (ports.late > 0) {
                late.put(node.name(), ports.late);
            }
        }
        return new Interpretation(sinks, bad, late);
    }

    /** Checks the traits of each kind of node, because engines rely on them. */
    private static void checkCardinality(Node node, long records, long bad, long emitted) {
        boolean holds = switch (node.spec().cardinality()) {
            case ONE -> emitted == records - bad;
            case AT_MOST_ONE -> emitted <= records;
            case ANY -> true;
        };
        if (!holds && node.spec().source() == null && node.spec().sink() == null) {
            throw new IllegalStateException("operator '" + node.name() + "' emitted " + emitted + " records for "
                    + records + ", of which " + bad + " were bad; "
                    + node.spec().describe() + " says "
                    + node.spec().cardinality());
        }
    }

    private int tasksOf(Node node) {
        return node.parallelism() == 0 ? parallelism : node.parallelism();
    }

    /** How the number of its task is read from each record that comes in; null if that is left to the engine. */
    private @Nullable KeySpec choosesTasks(Node node) {
        List<Edge> edges = graph.inputsOf(node);
        Grouping grouping = edges.size() == 1 ? edges.get(0).grouping() : null;
        return grouping == null || grouping.key() != null ? null : grouping.goesBy(tasksOf(node));
    }

    /**
     * The records of all edges that lead to this input of the node. A broadcast gives each record to every task; a
     * record whose key cannot be computed is bad.
     */
    private List<Element> inputOf(Node node, int number, Ports ports) {
        List<Element> input = new ArrayList<>();
        List<Edge> edges = new ArrayList<>(graph.inputsOf(node));
        graph.feedback().stream().filter(edge -> edge.to() == node.id()).forEach(edges::add);
        for (Edge edge : edges) {
            if (edge.input() != number) {
                continue;
            }
            List<Element> stream = edge.from() < node.id()
                    ? done.get(edge.from()).on(edge.port())
                    : back.getOrDefault(edge, List.of());
            KeySpec goesBy = edge.grouping().goesBy(tasksOf(node));
            if (goesBy == null) {
                int copies = edge.grouping().copies() ? tasksOf(node) : 1;
                Collections.nCopies(copies, stream).forEach(input::addAll);
            } else {
                ports.each(stream, element -> {
                    keyOf(goesBy, element);
                    input.add(element);
                });
            }
        }
        return input;
    }

    /** Evaluates each kind of node: returns all that it emits. */
    private final class Evaluation implements NodeVisitor<Ports> {
        private final Node node;
        private final List<Element> input;
        private final List<Element> second;
        private final Ports out;

        /** @param second records of the second input; empty if there is none */
        Evaluation(Node node, List<Element> input, List<Element> second, Ports out) {
            this.node = node;
            this.input = input;
            this.second = second;
            this.out = out;
        }

        @Override
        public Ports source(NodeSpec.Source spec) {
            out.run(spec.source(), from -> read(from, tasksOf(node), out));
            return out;
        }

        @Override
        public Ports map(NodeSpec.Map spec) {
            out.each(input, each -> out.emit(each.with(spec.function().apply(each.value()))));
            return out;
        }

        @Override
        public Ports filter(NodeSpec.Filter spec) {
            out.each(input, each -> {
                if (spec.function().test(each.value())) {
                    out.emit(each);
                }
            });
            return out;
        }

        @Override
        public Ports flatMap(NodeSpec.FlatMap spec) {
            out.each(input, each -> spec.function().apply(each.value()).forEach(value -> out.emit(each.with(value))));
            return out;
        }

        @Override
        public Ports peek(NodeSpec.Peek spec) {
            out.each(input, each -> {
                spec.function().accept(each.value());
                out.emit(each);
            });
            return out;
        }

        @Override
        public Ports union(NodeSpec.Union spec) {
            input.forEach(out::emit);
            return out;
        }

        @Override
        public Ports eventTime(NodeSpec.EventTime spec) {
            giveTime(spec, input, out);
            return out;
        }

        @Override
        public Ports process(NodeSpec.Process spec) {
            OperatorRules rules = new OperatorRules(node, tasksOf(node), out);
            KeySpec chooses = choosesTasks(node);
            if (chooses == null) {
                rules.apply(spec, input);
            } else {
                rules.apply(spec, input, chooses);
            }
            return out;
        }

        @Override
        public Ports connect(NodeSpec.Connect spec) {
            new OperatorRules(node, tasksOf(node), out).apply(spec, input, second);
            return out;
        }

        @Override
        public Ports keyedConnect(NodeSpec.KeyedConnect spec) {
            new TimerRules(node, tasksOf(node), out).apply(spec, input, second);
            return out;
        }

        @Override
        public Ports broadcast(NodeSpec.Broadcast spec) {
            new OperatorRules(node, tasksOf(node), out).apply(spec, input, once(second));
            return out;
        }

        @Override
        public Ports keyedBroadcast(NodeSpec.KeyedBroadcast spec) {
            new TimerRules(node, tasksOf(node), out).apply(spec, input, once(second));
            return out;
        }

        /** What each task is handed of a broadcast stream, of which there is a copy for each. */
        private List<Element> once(List<Element> copies) {
            return copies.subList(0, copies.size() / tasksOf(node));
        }

        @Override
        public Ports intervalJoin(IntervalJoin spec) {
            new JoinRules(spec, out).apply(input, second);
            return out;
        }

        @Override
        public Ports windowJoin(WindowJoin spec) {
            new WindowJoinRules(spec, out).apply(input, second);
            return out;
        }

        @Override
        public Ports keyedProcess(NodeSpec.KeyedProcess spec) {
            new TimerRules(node, tasksOf(node), out).apply(spec, input);
            return out;
        }

        @Override
        public Ports window(NodeSpec.Window spec) {
            new WindowRules(spec, out).apply(byKey(spec.key(), input, out));
            return out;
        }

        @Override
        public Ports running(NodeSpec.Running spec) {
            byKey(spec.key(), input, out).forEach((key, elements) -> {
                Object accumulator = spec.aggregate().create();
                out.each(elements, each -> {
                    spec.aggregate().add(accumulator, each.value());
                    out.emit(each.with(new Keyed<>(key, Ports.result(spec.aggregate(), accumulator))));
                });
            });
            return out;
        }

        @Override
        public Ports distinct(NodeSpec.Distinct spec) {
            byKey(spec.key(), input, out).values().forEach(elements -> out.emit(elements.get(0)));
            return out;
        }

        @Override
        public Ports asyncMap(AsyncMap spec) {
            new OperatorRules(node, tasksOf(node), out).apply(spec, input);
            return out;
        }

        @Override
        public Ports keyedAsyncMap(KeyedAsyncMap spec) {
            new TimerRules(node, tasksOf(node), out).apply(spec, input);
            return out;
        }

        /** The first ones; a run may let others pass. */
        @Override
        public Ports limit(Limit spec) {
            input.stream().limit(spec.records()).forEach(out::emit);
            return out;
        }

        @Override
        public Ports tableJoin(NodeSpec.TableJoin spec) {
            join(node, spec, input, out);
            return out;
        }

        @Override
        public Ports sink(NodeSpec.Sink spec) {
            sinks.put(node.name(), Collections.unmodifiableList(input));
            return out;
        }
    }

    static Object keyOf(KeySpec spec, Element element) throws Exception {
        Object key = spec.function().apply(element.value());
        if (key == null) {
            throw NullValueException.ofKey(spec.function(), element.value());
        }
        return key;
    }

    private static Map<Object, List<Element>> byKey(KeySpec spec, List<Element> input, Ports out) {
        Map<Object, List<Element>> groups = new LinkedHashMap<>();
        out.each(
                input,
                each -> groups.computeIfAbsent(keyOf(spec, each), key -> new ArrayList<>())
                        .add(each));
        return groups;
    }

    // ---- sources and tables

    private void read(Source<Object> source, int tasks, Ports out) throws Exception {
        for (String name : source.splits(tasks)) {
            int split = splits++;
            Reading reading = new Reading(source, name, out);
            try {
                for (Object value = reading.next(); value != null; value = reading.next()) {
                    out.emit(Element.untimed(value, split));
                }
            } finally {
                reading.reader.close();
            }
        }
    }

    /** Reads one split from beginning to end, with a clock that advances at each reading. */
    private static final class Reading implements SourceContext {
        private final Source<Object> source;
        private final Ports out;
        private final SplitReader<Object> reader;
        private long nowNs;

        Reading(Source<Object> source, String split, Ports out) throws Exception {
            this.source = source;
            this.out = out;
            this.reader = source.open(split, this);
        }

        @Nullable Object next() throws Exception {
            for (int emptyPolls = 0; emptyPolls < MOST_EMPTY_POLLS; emptyPolls++) {
                try {
                    Object value = reader.poll();
                    if (value != null) {
                        return source.reusesRecords() ? source.type().codec().copy(value) : value;
                    }
                    if (reader.finished()) {
                        return null;
                    }
                } catch (BadRecordException e) {
                    out.bad++;
                }
            }
            throw new IllegalStateException("source " + source.name() + " does not end");
        }

        @Override
        public void bad(BadRecord record) {
            out.bad++;
        }

        @Override
        public long nowNs() {
            return nowNs += 1_000_000_000L;
        }
    }

    private void join(Node node, NodeSpec.TableJoin join, List<Element> input, Ports out) {
        Ports rows = new Ports(node);
        rows.run(join.table(), table -> read(table, 1, rows));
        Map<Object, Object> byKey = new HashMap<>();
        rows.each(rows.on(Edge.MAIN), row -> {
            @Nullable Object key = join.tableKey().apply(row.value());
            if (key != null) {
                byKey.put(key, row.value());
            }
        });
        out.bad += rows.bad;
        out.each(input, each -> {
            @Nullable Object key = join.key().apply(each.value());
            Object row = key == null ? null : byKey.get(key);
            Object joined = join.function().apply(each.value(), row);
            if (joined != null) {
                out.emit(each.with(joined));
            }
        });
    }

    // ---- time

    private static void giveTime(NodeSpec.EventTime time, List<Element> input, Ports out) {
        Map<Integer, Long> maxSeen = new HashMap<>();
        out.each(input, each -> {
            Long eventTime = time.function().apply(each.value());
            if (eventTime == null || eventTime > LAST || eventTime < -LAST) {
                out.bad++;
                return;
            }
            Long seen = maxSeen.get(each.split());
            long watermark = seen == null ? OperatorContext.NO_TIME : seen - time.maxDisorderMs() - 1;
            maxSeen.merge(each.split(), eventTime, Math::max);
            out.emit(new Element(each.value(), eventTime, watermark, each.split()));
        });
    }
}
