// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.graph.KeySpec;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.window.WindowSpec;
import io.thalweg.engine.chain.FlatMapStage;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Simple;
import io.thalweg.engine.chain.Specialiser;
import io.thalweg.engine.checkpoint.StateName;
import io.thalweg.engine.sink.SinkStage;
import io.thalweg.engine.source.EventTimeStage;
import io.thalweg.engine.source.TimeReader;
import io.thalweg.engine.state.Adder;
import io.thalweg.engine.state.DistinctStage;
import io.thalweg.engine.state.Emitter;
import io.thalweg.engine.state.KeyedProcessStage;
import io.thalweg.engine.state.KeyedState;
import io.thalweg.engine.state.ProcessStage;
import io.thalweg.engine.state.RunningStage;
import io.thalweg.engine.state.SessionStage;
import io.thalweg.engine.state.SlidingStage;
import io.thalweg.engine.state.TableJoinStage;
import io.thalweg.engine.state.TumblingStage;
import io.thalweg.engine.state.WholeStage;
import io.thalweg.engine.state.Windowing;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes the receiver of each kind of node, with all that follows it in the chain. */
final class StageFactory {
    /** So long that adding it to any time does not overflow. */
    private static final long LONGEST_MS = Long.MAX_VALUE / 4;

    private final Assembly assembly;

    StageFactory(Assembly assembly) {
        this.assembly = assembly;
    }

    /** @param oneToOne every record of the task's input comes to this node, once */
    Receiver receiver(Node node, boolean oneToOne) {
        NodeSpec spec = node.spec();
        Specialiser make = assembly.specialiser;
        if (spec instanceof NodeSpec.Map map) {
            return make.make(Simple.Map.class, node.name(), assembly.frame, map.function(), next(node, oneToOne));
        }
        if (spec instanceof NodeSpec.Filter filter) {
            return make.make(Simple.Filter.class, node.name(), assembly.frame, filter.function(), next(node, false));
        }
        if (spec instanceof NodeSpec.Peek peek) {
            return make.make(Simple.Peek.class, node.name(), assembly.frame, peek.function(), next(node, oneToOne));
        }
        if (spec instanceof NodeSpec.FlatMap flatMap) {
            return make.make(FlatMapStage.class, node.name(), assembly.frame, flatMap.function(), next(node, false));
        }
        if (spec instanceof NodeSpec.Union) {
            return next(node, oneToOne);
        }
        if (spec instanceof NodeSpec.EventTime eventTime) {
            return eventTime(node, eventTime, oneToOne);
        }
        if (spec instanceof NodeSpec.Sink sink) {
            return sink(node, sink, oneToOne);
        }
        return stateful(node, spec);
    }

    /** Nobody else asks a record for its key where all records go to one task that has no use for keys. */
    Receiver checkingKeys(Edge edge, Receiver to) {
        Node node = assembly.graph().node(edge.to());
        NodeSpec spec = node.spec();
        boolean asks = spec instanceof NodeSpec.Window
                || spec instanceof NodeSpec.Running
                || spec instanceof NodeSpec.Distinct
                || spec instanceof NodeSpec.KeyedProcess
                || assembly.job.plan().parallelism(node) > 1;
        return !asks && edge.grouping() instanceof Grouping.ByKey byKey
                ? assembly.specialiser.make(
                        Simple.HasKey.class,
                        node.name(),
                        assembly.frame,
                        byKey.key().function(),
                        to)
                : to;
    }

    private Receiver stateful(Node node, NodeSpec spec) {
        Specialiser make = assembly.specialiser;
        if (spec instanceof NodeSpec.Window window) {
            return window(node, window);
        }
        if (spec instanceof NodeSpec.Running running) {
            Windowing windowing = windowing(node, running.key(), running.aggregate(), 0, null);
            return make.make(RunningStage.class, windowing);
        }
        if (spec instanceof NodeSpec.Distinct distinct) {
            return make.make(
                    DistinctStage.class,
                    node.name(),
                    assembly.frame,
                    distinct.key().function(),
                    keyCopies(node, distinct.key()),
                    keyedState(node, distinct.key()),
                    next(node, false));
        }
        if (spec instanceof NodeSpec.TableJoin join) {
            return new TableJoinStage(
                    node.name(),
                    assembly.index == 0,
                    assembly.frame,
                    join,
                    assembly.job.settings().clock(),
                    next(node, false));
        }
        if (spec instanceof NodeSpec.Process process) {
            ProcessStage.Context context = new ProcessStage.Context(
                    node.name(), assembly.index, assembly.chain.parallelism(), node.timed(), assembly.frame);
            return make.make(ProcessStage.class, context, process.supplier(), emitter(node), recordCopies(node));
        }
        if (spec instanceof NodeSpec.KeyedProcess process) {
            KeyedProcessStage.Context context = new KeyedProcessStage.Context(
                    node.name(),
                    assembly.index,
                    assembly.chain.parallelism(),
                    node.timed(),
                    assembly.frame,
                    keyCopies(node, process.key()),
                    process.key().type());
            return make.make(
                    KeyedProcessStage.class,
                    context,
                    process.key().function(),
                    process.supplier(),
                    emitter(node),
                    recordCopies(node));
        }
        throw new IllegalStateException("a " + spec.kind() + " cannot follow another operator");
    }

    private Receiver next(Node node, boolean oneToOne) {
        return assembly.output(node, Edge.MAIN, oneToOne);
    }

    private Emitter emitter(Node node) {
        return new Emitter(next(node, false), assembly.sides(node));
    }

    private Receiver eventTime(Node node, NodeSpec.EventTime spec, boolean oneToOne) {
        TimeReader reader = assembly.specialiser.make(
                EventTimeStage.class,
                node.name(),
                assembly.frame,
                spec.function(),
                spec.maxDisorderMs(),
                spec.idleMs() * 1_000_000,
                next(node, oneToOne));
        assembly.times.add(reader);
        return reader;
    }

    private Receiver sink(Node node, NodeSpec.Sink spec, boolean oneToOne) {
        SinkStage.Write write = assembly.specialiser.make(SinkStage.Writing.class, node.name(), assembly.frame);
        SinkContext context = new SinkContext(
                assembly.graph().name(),
                node.name(),
                assembly.index,
                assembly.chain.parallelism(),
                assembly.job.settings().console(),
                assembly.graph().inputsOf(node).get(0).type().codec(),
                assembly.goesOnFrom(),
                assembly.job.settings().run());
        assembly.addStage(new SinkStage(spec.sink(), context, write));
        return assembly.written(write, oneToOne);
    }

    private Receiver window(Node node, NodeSpec.Window spec) {
        Windowing windowing = windowing(node, spec.key(), spec.aggregate(), spec.allowedLatenessMs(), spec.late());
        Specialiser make = assembly.specialiser;
        if (spec.window() instanceof WindowSpec.Aligned aligned) {
            return aligned.sizeMs() == aligned.stepMs()
                    ? make.make(TumblingStage.class, windowing, aligned.sizeMs())
                    : make.make(SlidingStage.class, windowing, aligned);
        }
        return spec.window() instanceof WindowSpec.Session session
                ? make.make(SessionStage.class, windowing, session.gapMs())
                : make.make(WholeStage.class, windowing);
    }

    private Windowing windowing(
            Node node,
            KeySpec key,
            Aggregate<Object, Object, Object> aggregate,
            long latenessMs,
            @Nullable SideOutput<Object> late) {
        return new Windowing(
                node.name(),
                assembly.frame,
                key.function(),
                aggregate,
                Adder.of(aggregate, assembly.specialiser),
                Math.min(latenessMs, LONGEST_MS),
                late == null ? null : assembly.output(node, late.name(), false),
                aggregate.keepsRecords() ? recordCopies(node) : null,
                keyCopies(node, key),
                keyedState(node, key),
                next(node, false));
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

    /** True where what the node emits may be an object that its source fills anew. */
    boolean reused(Node node) {
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
        List<Edge> inputs = assembly.graph().inputsOf(node);
        return !copies
                && !isHead(node)
                && reused(assembly.graph().node(inputs.get(0).from()));
    }
}
