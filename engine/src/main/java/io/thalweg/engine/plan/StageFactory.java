// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.graph.AsyncMap;
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
import io.thalweg.api.operator.ThreadedOperator;
import io.thalweg.api.operator.TickingOperator;
import io.thalweg.api.operator.TwoInputOperator;
import io.thalweg.api.window.WindowSpec;
import io.thalweg.api.window.WindowVisitor;
import io.thalweg.engine.chain.Count;
import io.thalweg.engine.chain.FlatMapStage;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Simple;
import io.thalweg.engine.chain.Specialiser;
import io.thalweg.engine.chain.Stage;
import io.thalweg.engine.chain.Trials;
import io.thalweg.engine.checkpoint.StateName;
import io.thalweg.engine.source.AlignedSplits;
import io.thalweg.engine.source.EventTimeStage;
import io.thalweg.engine.source.SlowestSplits;
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
import io.thalweg.engine.state.ThreadedStage;
import io.thalweg.engine.state.TickStage;
import io.thalweg.engine.state.TumblingStage;
import io.thalweg.engine.state.WholeStage;
import io.thalweg.engine.state.Windowing;
import io.thalweg.run.time.WindowTimes;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes the receivers of each kind of node, one for each of its inputs, connected to their successors in the chain. */
final class StageFactory {
    /** What follows a node in its chain. */
    interface Downstream {
        /** The receiver of the main output. */
        Receiver next();

        /** The receiver of a side output. */
        Receiver port(String name);

        /** The side outputs that are used, by name. */
        Map<String, Receiver> sides();
    }

    private final TaskSite site;
    private final ReusedRecords reused;
    private final ChainParts parts;
    private final Specialiser make;
    private final SinkFactory sinks;

    /** @param parts to which the stages are added */
    StageFactory(TaskSite site, ReusedRecords reused, ChainParts parts) {
        this.site = site;
        this.reused = reused;
        this.parts = parts;
        make = site.specialiser();
        sinks = new SinkFactory(site, parts);
    }

    /**
     * The receivers of a node: one for each of its inputs.
     *
     * @param oneToOne every input record of the task reaches this node exactly once
     */
    List<Receiver> receivers(Node node, boolean oneToOne, Downstream downstream) {
        return node.spec().accept(new Operators(node, oneToOne, downstream));
    }

    /** The receivers of each kind. */
    private final class Operators implements NodeVisitor<List<Receiver>> {
        private final Node node;
        private final boolean oneToOne;
        private final Downstream downstream;

        Operators(Node node, boolean oneToOne, Downstream downstream) {
            this.node = node;
            this.oneToOne = oneToOne;
            this.downstream = downstream;
        }

        /**
         * The receivers of an operator that is a stage, and whose failures are counted so that records can be dropped
         * after retries.
         */
        private List<Receiver> operator(Receiver... entries) {
            return Arrays.stream(entries).map(this::passing).toList();
        }

        private Receiver passing(Receiver entry) {
            if (entry instanceof Stage stage) {
                parts.stages.add(stage);
            }
            Trials trials = site.frame().trials;
            return trials == null ? entry : make.make(new Trials.Passing.Parts(entry, trials.passedBy(node.name())));
        }

        private Receiver next() {
            return downstream.next();
        }

        private Emitter emitter() {
            return new Emitter(site.frame(), node.timed(), next(), downstream.sides());
        }

        private Windowing windowing(
                KeySpec key,
                Aggregate<Object, Object, Object> aggregate,
                long latenessMs,
                @Nullable SideOutput<Object> late) {
            Layout layout = new Layout(aggregate);
            return new Windowing(
                    node.name(),
                    site.frame(),
                    key.function(),
                    layout,
                    Adder.of(layout, make),
                    WindowTimes.lateness(latenessMs),
                    late == null ? null : downstream.port(late.name()),
                    aggregate.keepsRecords() ? reused.copiesInto(node) : null,
                    reused.keyCopies(node, key),
                    keyedState(node, key),
                    next());
        }

        @Override
        public List<Receiver> source(NodeSpec.Source spec) {
            throw new IllegalStateException("a source cannot follow another operator");
        }

        @Override
        public List<Receiver> map(NodeSpec.Map spec) {
            return operator(make.make(new Simple.Map.Parts(node.name(), site.frame(), spec.function(), next())));
        }

        @Override
        public List<Receiver> filter(NodeSpec.Filter spec) {
            return operator(make.make(new Simple.Filter.Parts(node.name(), site.frame(), spec.function(), next())));
        }

        @Override
        public List<Receiver> flatMap(NodeSpec.FlatMap spec) {
            return operator(make.make(new FlatMapStage.Parts(node.name(), site.frame(), spec.function(), next())));
        }

        @Override
        public List<Receiver> peek(NodeSpec.Peek spec) {
            return operator(make.make(new Simple.Peek.Parts(node.name(), site.frame(), spec.function(), next())));
        }

        /** A union has no operator: its receiver is its successor. */
        @Override
        public List<Receiver> union(NodeSpec.Union spec) {
            return List.of(next());
        }

        @Override
        public List<Receiver> eventTime(NodeSpec.EventTime spec) {
            TimeReader reader = make.make(new EventTimeStage.Parts(
                    node.name(),
                    site.frame(),
                    spec.function(),
                    spec.maxDisorderMs(),
                    spec.idleMs(),
                    spec.aligned() ? alignedSplits(spec.alignedMs()) : null,
                    next()));
            parts.times.add(reader);
            return operator(reader);
        }

        /** Under another engine tasks cannot share watermarks, so such a source has one task. */
        private AlignedSplits alignedSplits(long boundMs) {
            SlowestSplits all = site.job().links() instanceof JobBuild.Local local
                    ? local.slowest().get(node.id())
                    : null;
            return all == null
                    ? new AlignedSplits(boundMs, new SlowestSplits(List.of(site.wakeUp())), 0)
                    : new AlignedSplits(boundMs, all, site.index());
        }

        @Override
        public List<Receiver> process(NodeSpec.Process spec) {
            Operator<Object, Object> operator = spec.supplier().get();
            ProcessStage.Context context = context(null);
            if (operator instanceof ThreadedOperator<Object, Object> threaded) {
                return operator(threaded(context, threaded));
            }
            Emitter emitter = emitter();
            if (operator instanceof TickingOperator<Object, Object> ticking) {
                parts.stages.add(new TickStage(
                        context, ticking, emitter, site.job().settings().clock()));
            }
            parts.stages.add(make.make(new ProcessStage.Parts(context, operator, emitter)));
            return operator(
                    make.make(new ProcessStage.Only.Parts(context, operator, emitter, reused.copiesInto(node))));
        }

        private ThreadedStage threaded(ProcessStage.Context context, ThreadedOperator<Object, Object> operator) {
            Receiver next = next();
            Map<String, Receiver> sides = downstream.sides();
            Emitter emitter = new Emitter(site.frame(), node.timed(), next, sides);
            BuildSettings settings = site.job().settings();
            return new ThreadedStage(new ThreadedStage.Parts(
                    context,
                    operator,
                    emitter,
                    make.make(new ProcessStage.Parts(context, operator, emitter)),
                    operator instanceof TickingOperator<?, ?>
                            ? new TickStage(
                                    context, (TickingOperator<Object, Object>) operator, emitter, settings.clock())
                            : null,
                    settings.guarantee() == Guarantee.ACKED,
                    new ThreadedStage.Outlets(next, sides, settings.batchRecords(), site.wakeUp())));
        }

        @Override
        public List<Receiver> connect(NodeSpec.Connect spec) {
            TwoInputOperator<Object, Object, Object> operator = spec.supplier().get();
            ProcessStage.Context context = context(null);
            Emitter emitter = emitter();
            parts.stages.add(make.make(new ProcessStage.Parts(context, operator, emitter)));
            return operator(
                    make.make(new ProcessStage.OneOfTwo.Parts(context, false, operator, emitter)),
                    make.make(new ProcessStage.OneOfTwo.Parts(context, true, operator, emitter)));
        }

        private ProcessStage.Context context(@Nullable BroadcastStates broadcasts) {
            return new ProcessStage.Context(
                    node.name(), site.index(), site.parallelism(), node.timed(), site.frame(), broadcasts);
        }

        private BroadcastStates broadcasts() {
            return new BroadcastStates(node.name(), site.index());
        }

        @Override
        public List<Receiver> broadcast(NodeSpec.Broadcast spec) {
            BroadcastOperator<Object, Object, Object> operator = spec.supplier().get();
            Operator<Object, Object> first = operator::process;
            Operator<Object, Object> second = operator::processBroadcast;
            BroadcastStates broadcasts = broadcasts();
            ProcessStage.Context context = context(broadcasts);
            Emitter emitter = emitter();
            parts.stages.add(make.make(new ProcessStage.Parts(context, operator, emitter)));
            return operator(
                    make.make(new ProcessStage.Only.Parts(context, first, emitter, null)),
                    make.make(new ProcessStage.OnBroadcast.Parts(context, broadcasts, second, emitter)));
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
            parts.stages.add(make.make(new KeyedProcessStage.Parts(
                    context, operator, emitter, node.spec().aggregate() != null)));
            return operator(
                    make.make(
                            new KeyedProcessStage.Only.Parts(context, spec.key().function(), first, emitter, null)),
                    make.make(new ProcessStage.OnBroadcast.Parts(context, broadcasts, second, emitter)));
        }

        @Override
        public List<Receiver> keyedProcess(NodeSpec.KeyedProcess spec) {
            KeyedOperator<Object, Object, Object> operator = spec.supplier().get();
            KeyedProcessStage.Context context = keyedContext(spec.key(), null);
            Emitter emitter = emitter();
            parts.stages.add(make.make(new KeyedProcessStage.Parts(
                    context, operator, emitter, node.spec().aggregate() != null)));
            return operator(make.make(new KeyedProcessStage.Only.Parts(
                    context, spec.key().function(), operator, emitter, reused.copiesInto(node))));
        }

        @Override
        public List<Receiver> keyedConnect(NodeSpec.KeyedConnect spec) {
            KeyedTwoInputOperator<Object, Object, Object, Object> operator =
                    spec.supplier().get();
            KeyedProcessStage.Context context = keyedContext(spec.first(), null);
            Emitter emitter = emitter();
            parts.stages.add(make.make(new KeyedProcessStage.Parts(
                    context, operator, emitter, node.spec().aggregate() != null)));
            return operator(
                    make.make(new KeyedProcessStage.OneOfTwo.Parts(
                            context, false, spec.first().function(), operator, emitter)),
                    make.make(new KeyedProcessStage.OneOfTwo.Parts(
                            context, true, spec.second().function(), operator, emitter)));
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
                    site.index(),
                    site.parallelism(),
                    node.timed(),
                    site.frame(),
                    broadcasts,
                    reused.keyCopies(node, key),
                    key.type(),
                    site.job().settings().clock());
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
                                ? make.make(new TumblingStage.Parts(windowing(), spec.sizeMs()))
                                : make.make(new SlidingStage.Parts(windowing(), spec)));
            }

            @Override
            public List<Receiver> session(WindowSpec.Session spec) {
                return operator(make.make(new SessionStage.Parts(windowing(), spec.gapMs())));
            }

            @Override
            public List<Receiver> count(WindowSpec.Count spec) {
                return keyedProcess(window.counting(spec));
            }

            @Override
            public List<Receiver> whole(WindowSpec.Whole spec) {
                return operator(make.make(new WholeStage.Parts(windowing())));
            }
        }

        @Override
        public List<Receiver> running(NodeSpec.Running spec) {
            return operator(make.make(new RunningStage.Parts(windowing(spec.key(), spec.aggregate(), 0, null))));
        }

        @Override
        public List<Receiver> distinct(NodeSpec.Distinct spec) {
            return operator(make.make(new DistinctStage.Parts(
                    node.name(),
                    site.frame(),
                    spec.key().function(),
                    reused.keyCopies(node, spec.key()),
                    keyedState(node, spec.key()),
                    next())));
        }

        @Override
        public List<Receiver> limit(Limit spec) {
            return operator(make.make(new LimitStage.Parts(
                    node.name(), spec, next(), () -> site.job().agreement().reached(node.id()))));
        }

        @Override
        public List<Receiver> tableJoin(NodeSpec.TableJoin spec) {
            return operator(new TableJoinStage(
                    node.name(),
                    site.index() == 0,
                    site.frame(),
                    spec,
                    site.job().settings().clock(),
                    next()));
        }

        /** Counts itself what it has passed, because its input is not processed before the answer. */
        @Override
        public List<Receiver> asyncMap(AsyncMap spec) {
            Trials trials = site.frame().trials;
            HeldRecords<AsyncStage.Waiting> records = new HeldRecords<>(
                    spec.supplier().get(),
                    context(null),
                    spec.options(),
                    site.job().settings().clock()::nowNs,
                    site.wakeUp());
            AsyncStage stage = new AsyncStage(
                    node.name(),
                    site.frame(),
                    records,
                    spec.function(),
                    trials == null ? new Count.Passed() : trials.passedBy(node.name()),
                    next());
            parts.stages.add(stage);
            return List.of(stage);
        }

        @Override
        public List<Receiver> sink(NodeSpec.Sink spec) {
            return operator(sinks.entry(node, spec, oneToOne));
        }
    }

    private static KeyedState keyedState(Node node, KeySpec key) {
        SavedFormats.Saved saved = Objects.requireNonNull(SavedFormats.of(node.spec()), "the operator keeps nothing");
        return new KeyedState(
                new StateName(node.name(), saved.name()),
                saved.format(),
                key.type().codec());
    }
}
