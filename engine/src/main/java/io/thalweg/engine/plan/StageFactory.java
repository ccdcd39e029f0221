// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkReports;
import io.thalweg.api.connector.Source;
import io.thalweg.api.graph.AsyncMap;
import io.thalweg.api.graph.Cardinality;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.HeldRecords;
import io.thalweg.api.graph.IntervalJoin;
import io.thalweg.api.graph.KeySpec;
import io.thalweg.api.graph.Limit;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.NodeVisitor;
import io.thalweg.api.graph.WindowJoin;
import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.BroadcastOperator;
import io.thalweg.api.operator.KeyedBroadcastOperator;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.KeyedTwoInputOperator;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.operator.TwoInputOperator;
import io.thalweg.api.window.WindowSpec;
import io.thalweg.api.window.WindowVisitor;
import io.thalweg.engine.chain.Count;
import io.thalweg.engine.chain.FlatMapStage;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Simple;
import io.thalweg.engine.chain.Specialiser;
import io.thalweg.engine.chain.Trials;
import io.thalweg.engine.checkpoint.StateName;
import io.thalweg.engine.sink.SinkStage;
import io.thalweg.engine.source.EventTimeStage;
import io.thalweg.engine.source.TimeReader;
import io.thalweg.engine.state.Adder;
import io.thalweg.engine.state.AsyncStage;
import io.thalweg.engine.state.BroadcastStates;
import io.thalweg.engine.state.DistinctStage;
import io.thalweg.engine.state.Emitter;
import io.thalweg.engine.state.KeyedProcessStage;
import io.thalweg.engine.state.KeyedState;
import io.thalweg.engine.state.Layout;
import io.thalweg.engine.state.LimitStage;
import io.thalweg.engine.state.ProcessStage;
import io.thalweg.engine.state.RunningStage;
import io.thalweg.engine.state.SessionStage;
import io.thalweg.engine.state.SlidingStage;
import io.thalweg.engine.state.TableJoinStage;
import io.thalweg.engine.state.TumblingStage;
import io.thalweg.engine.state.WholeStage;
import io.thalweg.engine.state.Windowing;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes the receivers of each kind of node, one for each of its inputs, with all that follows it in the chain. */
final class StageFactory {
    /** So long that adding it to any time does not overflow. */
    private static final long LONGEST_MS = Long.MAX_VALUE / 4;

    private final Assembly assembly;
    private final Specialiser make;

    StageFactory(Assembly assembly) {
        this.assembly = assembly;
        make = assembly.specialiser;
    }

    /**
     * One for each of the node's inputs.
     *
     * @param oneToOne every record of the task's input comes to this node, once
     */
    List<Receiver> receivers(Node node, boolean oneToOne) {
        return node.spec().accept(new Operators(node, oneToOne));
    }

    /** Nobody else asks a record for its key, or a partitioner for its task, if there is only one task and it has no use for keys. */
    Receiver checkingKeys(Edge edge, Receiver to) {
        Node node = assembly.graph().node(edge.to());
        KeySpec goesBy = edge.grouping().goesBy(1);
        boolean asks =
                node.spec().keyedBy(edge.input()) != null || assembly.job.plan().parallelism(node) > 1;
        return goesBy == null || asks
                ? to
                : make.make(Simple.HasKey.class, node.name(), assembly.frame, goesBy.function(), to);
    }

    /** The receivers of each kind. */
    private final class Operators implements NodeVisitor<List<Receiver>> {
        private final Node node;
        private final boolean oneToOne;

        Operators(Node node, boolean oneToOne) {
            this.node = node;
            this.oneToOne = oneToOne;
        }

        private List<Receiver> operator(Receiver... entries) {
            return Arrays.stream(entries)
                    .map(entry -> assembly.operator(node, entry))
                    .toList();
        }

        private Receiver next() {
            return assembly.output(node, Edge.MAIN, oneToOne && node.spec().cardinality() == Cardinality.ONE);
        }

        private Emitter emitter() {
            return new Emitter(assembly.frame, node.timed(), next(), assembly.sides(node));
        }

        private Windowing windowing(
                KeySpec key,
                Aggregate<Object, Object, Object> aggregate,
                long latenessMs,
                @Nullable SideOutput<Object> late) {
            Layout layout = new Layout(aggregate);
            return new Windowing(
                    node.name(),
                    assembly.frame,
                    key.function(),
                    layout,
                    Adder.of(layout, make),
                    Math.min(latenessMs, LONGEST_MS),
                    late == null ? null : assembly.output(node, late.name(), false),
                    aggregate.keepsRecords() ? recordCopies(node) : null,
                    keyCopies(node, key),
                    keyedState(node, key),
                    next());
        }

        @Override
        public List<Receiver> source(NodeSpec.Source spec) {
            throw new IllegalStateException("a source cannot follow another operator");
        }

        @Override
        public List<Receiver> map(NodeSpec.Map spec) {
            return operator(make.make(Simple.Map.class, node.name(), assembly.frame, spec.function(), next()));
        }

        @Override
        public List<Receiver> filter(NodeSpec.Filter spec) {
            return operator(make.make(Simple.Filter.class, node.name(), assembly.frame, spec.function(), next()));
        }

        @Override
        public List<Receiver> flatMap(NodeSpec.FlatMap spec) {
            return operator(make.make(FlatMapStage.class, node.name(), assembly.frame, spec.function(), next()));
        }

        @Override
        public List<Receiver> peek(NodeSpec.Peek spec) {
            return operator(make.make(Simple.Peek.class, node.name(), assembly.frame, spec.function(), next()));
        }

        /** No operator of its own: what follows it. */
        @Override
        public List<Receiver> union(NodeSpec.Union spec) {
            return List.of(next());
        }

        @Override
        public List<Receiver> eventTime(NodeSpec.EventTime spec) {
            TimeReader reader = make.make(
                    EventTimeStage.class,
                    node.name(),
                    assembly.frame,
                    spec.function(),
                    spec.maxDisorderMs(),
                    spec.idleMs() * 1_000_000,
                    spec.aligned() ? assembly.alignedSplits(node, spec.alignedMs()) : null,
                    next());
            assembly.times.add(reader);
            return operator(reader);
        }

        @Override
        public List<Receiver> process(NodeSpec.Process spec) {
            Operator<Object, Object> operator = spec.supplier().get();
            ProcessStage.Context context = context(null);
            Emitter emitter = emitter();
            assembly.addStage(make.make(ProcessStage.class, context, operator, emitter));
            return operator(make.make(ProcessStage.Only.class, context, operator, emitter, recordCopies(node)));
        }

        @Override
        public List<Receiver> connect(NodeSpec.Connect spec) {
            TwoInputOperator<Object, Object, Object> operator = spec.supplier().get();
            ProcessStage.Context context = context(null);
            Emitter emitter = emitter();
            assembly.addStage(make.make(ProcessStage.class, context, operator, emitter));
            return operator(
                    make.make(ProcessStage.OneOfTwo.class, context, false, operator, emitter),
                    make.make(ProcessStage.OneOfTwo.class, context, true, operator, emitter));
        }

        private ProcessStage.Context context(@Nullable BroadcastStates broadcasts) {
            return new ProcessStage.Context(
                    node.name(),
                    assembly.index,
                    assembly.chain.parallelism(),
                    node.timed(),
                    assembly.frame,
                    broadcasts);
        }

        private BroadcastStates broadcasts() {
            return new BroadcastStates(node.name(), assembly.index);
        }

        @Override
        public List<Receiver> broadcast(NodeSpec.Broadcast spec) {
            BroadcastOperator<Object, Object, Object> operator = spec.supplier().get();
            Operator<Object, Object> first = operator::process;
            Operator<Object, Object> second = operator::processBroadcast;
            BroadcastStates broadcasts = broadcasts();
            ProcessStage.Context context = context(broadcasts);
            Emitter emitter = emitter();
            assembly.addStage(make.make(ProcessStage.class, context, operator, emitter));
            return operator(
                    make.make(ProcessStage.Only.class, context, first, emitter, null),
                    make.make(ProcessStage.OnBroadcast.class, context, broadcasts, second, emitter));
        }

        @Override
        public List<Receiver> keyedBroadcast(NodeSpec.KeyedBroadcast spec) {
            KeyedBroadcastOperator<Object, Object, Object, Object> operator =
                    spec.supplier().get();
            KeyedOperator<Object, Object, Object> first = operator::process;
            Operator<Object, Object> second = operator::processBroadcast;
            BroadcastStates broadcasts = broadcasts();
            KeyedProcessStage.Context context = keyedContext(spec.key(), broadcasts);
            Emitter emitter = emitter();
            assembly.addStage(make.make(
                    KeyedProcessStage.class,
                    context,
                    operator,
                    emitter,
                    node.spec().aggregate() != null));
            return operator(
                    make.make(KeyedProcessStage.Only.class, context, spec.key().function(), first, emitter, null),
                    make.make(ProcessStage.OnBroadcast.class, context, broadcasts, second, emitter));
        }

        @Override
        public List<Receiver> keyedProcess(NodeSpec.KeyedProcess spec) {
            KeyedOperator<Object, Object, Object> operator = spec.supplier().get();
            KeyedProcessStage.Context context = keyedContext(spec.key(), null);
            Emitter emitter = emitter();
            assembly.addStage(make.make(
                    KeyedProcessStage.class,
                    context,
                    operator,
                    emitter,
                    node.spec().aggregate() != null));
            return operator(make.make(
                    KeyedProcessStage.Only.class,
                    context,
                    spec.key().function(),
                    operator,
                    emitter,
                    recordCopies(node)));
        }

        @Override
        public List<Receiver> keyedConnect(NodeSpec.KeyedConnect spec) {
            KeyedTwoInputOperator<Object, Object, Object, Object> operator =
                    spec.supplier().get();
            KeyedProcessStage.Context context = keyedContext(spec.first(), null);
            Emitter emitter = emitter();
            assembly.addStage(make.make(
                    KeyedProcessStage.class,
                    context,
                    operator,
                    emitter,
                    node.spec().aggregate() != null));
            return operator(
                    make.make(
                            KeyedProcessStage.OneOfTwo.class,
                            context,
                            false,
                            spec.first().function(),
                            operator,
                            emitter),
                    make.make(
                            KeyedProcessStage.OneOfTwo.class,
                            context,
                            true,
                            spec.second().function(),
                            operator,
                            emitter));
        }

        @Override
        public List<Receiver> intervalJoin(IntervalJoin spec) {
            return keyedConnect(spec.operator());
        }

        @Override
        public List<Receiver> windowJoin(WindowJoin spec) {
            return keyedConnect(spec.operator());
        }

        private KeyedProcessStage.Context keyedContext(KeySpec key, @Nullable BroadcastStates broadcasts) {
            return new KeyedProcessStage.Context(
                    node.name(),
                    assembly.index,
                    assembly.chain.parallelism(),
                    node.timed(),
                    assembly.frame,
                    broadcasts,
                    keyCopies(node, key),
                    key.type(),
                    assembly.job.settings().clock());
        }

        @Override
        public List<Receiver> window(NodeSpec.Window spec) {
            return spec.window().accept(new Windows(spec));
        }

        /** The receiver of each kind of window. */
        private final class Windows implements WindowVisitor<List<Receiver>> {
            private final NodeSpec.Window window;

            Windows(NodeSpec.Window window) {
                this.window = window;
            }

            private Windowing windowing() {
                return Operators.this.windowing(
                        window.key(), window.aggregate(), window.allowedLatenessMs(), window.late());
            }

            @Override
            public List<Receiver> aligned(WindowSpec.Aligned spec) {
                return operator(
                        spec.sizeMs() == spec.stepMs()
                                ? make.make(TumblingStage.class, windowing(), spec.sizeMs())
                                : make.make(SlidingStage.class, windowing(), spec));
            }

            @Override
            public List<Receiver> session(WindowSpec.Session spec) {
                return operator(make.make(SessionStage.class, windowing(), spec.gapMs()));
            }

            @Override
            public List<Receiver> count(WindowSpec.Count spec) {
                return keyedProcess(window.counting(spec));
            }

            @Override
            public List<Receiver> whole(WindowSpec.Whole spec) {
                return operator(make.make(WholeStage.class, windowing()));
            }
        }

        @Override
        public List<Receiver> running(NodeSpec.Running spec) {
            return operator(make.make(RunningStage.class, windowing(spec.key(), spec.aggregate(), 0, null)));
        }

        @Override
        public List<Receiver> distinct(NodeSpec.Distinct spec) {
            return operator(make.make(
                    DistinctStage.class,
                    node.name(),
                    assembly.frame,
                    spec.key().function(),
                    keyCopies(node, spec.key()),
                    keyedState(node, spec.key()),
                    next()));
        }

        @Override
        public List<Receiver> limit(Limit spec) {
            return operator(make.make(LimitStage.class, node.name(), spec, next(), (Runnable)
                    () -> assembly.job.agreement().reached(node.id())));
        }

        @Override
        public List<Receiver> tableJoin(NodeSpec.TableJoin spec) {
            return operator(new TableJoinStage(
                    node.name(),
                    assembly.index == 0,
                    assembly.frame,
                    spec,
                    assembly.job.settings().clock(),
                    next()));
        }

        /** Counts what it has passed itself: a record that came in has not passed yet. */
        @Override
        public List<Receiver> asyncMap(AsyncMap spec) {
            Trials trials = assembly.frame.trials;
            HeldRecords<AsyncStage.Waiting> records = new HeldRecords<>(
                    spec.supplier().get(),
                    context(null),
                    spec.options(),
                    assembly.job.settings().clock()::nowNs,
                    assembly.wakeUp);
            AsyncStage stage = new AsyncStage(
                    node.name(),
                    assembly.frame,
                    records,
                    spec.function(),
                    trials == null ? new Count.Passed() : trials.passedBy(node.name()),
                    next());
            assembly.addStage(stage);
            return List.of(stage);
        }

        @Override
        public List<Receiver> sink(NodeSpec.Sink spec) {
            SinkStage.Write write = make.make(SinkStage.Writing.class, node.name(), assembly.frame);
            SinkContext context = new SinkContext(
                    assembly.graph().name(),
                    node.name(),
                    assembly.index,
                    assembly.chain.parallelism(),
                    assembly.job.settings().console(),
                    assembly.graph().inputsOf(node).get(0).type().codec(),
                    assembly.job.settings().guarantee(),
                    assembly.goesOnFrom(),
                    assembly.job.settings().run(),
                    reports());
            assembly.addStage(new SinkStage(spec.sink(), context, write));
            return operator(assembly.written(write, oneToOne));
        }

        private SinkReports reports() {
            Frame frame = assembly.frame;
            String operator = node.name();
            Consumer<String> warnings = assembly.job.settings().warnings();
            return new SinkReports() {
                @Override
                public void bad(BadRecord record) {
                    frame.bad(operator, record);
                }

                @Override
                public void warn(String message) {
                    warnings.accept("operator '" + operator + "': " + message);
                }
            };
        }
    }

    private static KeyedState keyedState(Node node, KeySpec key) {
        SavedFormats.Saved saved = Objects.requireNonNull(SavedFormats.of(node.spec()), "the operator keeps nothing");
        return new KeyedState(
                new StateName(node.name(), saved.name()),
                saved.format(),
                key.type().codec());
    }

    private @Nullable Codec<Object> recordCopies(Node node) {
        List<Edge> inputs = assembly.graph().inputsOf(node);
        return !isHead(node) && reused(assembly.graph().node(inputs.get(0).from()))
                ? inputs.get(0).type().codec()
                : null;
    }

    private @Nullable Codec<Object> keyCopies(Node node, KeySpec key) {
        return recordCopies(node) == null || key.type().codec().immutable()
                ? null
                : key.type().codec();
    }

    private boolean isHead(Node node) {
        return assembly.chain.head().id() == node.id();
    }

    /** True if what the node emits may be an object that its source reuses. */
    boolean reused(Node node) {
        if (node.output() == null || node.output().codec().immutable()) {
            return false;
        }
        Source<Object> source = node.spec().source();
        if (source != null) {
            return source.reusesRecords();
        }
        List<Edge> inputs = assembly.graph().inputsOf(node);
        return node.spec().passesInputOn()
                && !isHead(node)
                && reused(assembly.graph().node(inputs.get(0).from()));
    }
}
