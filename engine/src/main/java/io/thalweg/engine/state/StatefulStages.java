// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.graph.AsyncMap;
import io.thalweg.api.graph.HeldRecords;
import io.thalweg.api.graph.KeySpec;
import io.thalweg.api.graph.KeyedAsyncMap;
import io.thalweg.api.graph.Limit;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.BroadcastOperator;
import io.thalweg.api.operator.KeyedBroadcastOperator;
import io.thalweg.api.operator.KeyedLifecycle;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.KeyedTwoInputOperator;
import io.thalweg.api.operator.Lifecycle;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.operator.ThreadedOperator;
import io.thalweg.api.operator.TickingOperator;
import io.thalweg.api.operator.TwoInputOperator;
import io.thalweg.api.window.WindowSpec;
import io.thalweg.api.window.WindowVisitor;
import io.thalweg.engine.chain.Count;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Specialiser;
import io.thalweg.engine.chain.Stage;
import io.thalweg.engine.checkpoint.StateName;
import io.thalweg.run.Clock;
import io.thalweg.run.time.WindowTimes;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the receivers of one operator of a task that keeps state or records: one for each of its inputs. A receiver that is a
 * {@link Stage} is the operator's stage; other stages are handed over.
 */
public final class StatefulStages {
    /**
     * The operator and the task that it is in.
     *
     * @param copies to copy the operator's input records with, which their source reuses; null if they need no copy
     * @param mayHold whether input records may be processed later than they come: nobody changes them, and nobody takes the end
     *     of a call to say that they are processed
     * @param stepRecords as {@link LookupBatch} has it
     */
    public record Site(
            Node node,
            int task,
            int parallelism,
            Frame frame,
            Clock clock,
            Specialiser specialiser,
            @Nullable Codec<Object> copies,
            boolean mayHold,
            int stepRecords) {}

    private final Site site;
    private final Node node;
    private final Frame frame;
    private final Specialiser make;
    private final Receiver next;
    private final Map<String, Receiver> sides;
    private final Consumer<Stage> stages;

    /**
     * @param next the receiver of the main output
     * @param sides the receivers of the side outputs that are used, by name
     * @param stages gets the stages that are not receivers
     */
    public StatefulStages(Site site, Receiver next, Map<String, Receiver> sides, Consumer<Stage> stages) {
        this.site = site;
        node = site.node();
        frame = site.frame();
        make = site.specialiser();
        this.next = next;
        this.sides = sides;
        this.stages = stages;
    }

    // ---- users' operators

    /**
     * What an operator with threads of its own needs.
     *
     * @param capacity as many records wait for the task before a thread that emits has to
     * @param wakeUp wakes the task when a thread has emitted
     */
    public record Threads(boolean acked, int capacity, Runnable wakeUp) {}

    public Receiver process(NodeSpec.Process spec, Threads threads) {
        Operator<Object, Object> operator = spec.supplier().get();
        ProcessStage.Context context = context(null);
        Emitter emitter = emitter();
        if (operator instanceof ThreadedOperator<Object, Object> threaded) {
            return threaded(context, threaded, emitter, threads);
        }
        if (operator instanceof TickingOperator<Object, Object> ticking) {
            stages.accept(new TickStage(context, ticking, emitter, site.clock()));
        }
        add(context, operator, emitter);
        return make.make(new ProcessStage.Only.Parts(context, operator, emitter, site.copies()));
    }

    private Receiver threaded(
            ProcessStage.Context context, ThreadedOperator<Object, Object> operator, Emitter emitter, Threads threads) {
        return new ThreadedStage(new ThreadedStage.Parts(
                context,
                operator,
                emitter,
                make.make(new ProcessStage.Parts(context, operator, emitter)),
                operator instanceof TickingOperator<?, ?>
                        ? new TickStage(context, (TickingOperator<Object, Object>) operator, emitter, site.clock())
                        : null,
                threads.acked(),
                new ThreadedStage.Outlets(next, sides, threads.capacity(), threads.wakeUp())));
    }

    public List<Receiver> connect(NodeSpec.Connect spec) {
        TwoInputOperator<Object, Object, Object> operator = spec.supplier().get();
        ProcessStage.Context context = context(null);
        Emitter emitter = emitter();
        add(context, operator, emitter);
        return List.of(
                make.make(new ProcessStage.OneOfTwo.Parts(context, false, operator, emitter)),
                make.make(new ProcessStage.OneOfTwo.Parts(context, true, operator, emitter)));
    }

    public List<Receiver> broadcast(NodeSpec.Broadcast spec) {
        BroadcastOperator<Object, Object, Object> operator = spec.supplier().get();
        Operator<Object, Object> first = operator::process;
        Operator<Object, Object> second = operator::processBroadcast;
        BroadcastStates broadcasts = broadcasts();
        ProcessStage.Context context = context(broadcasts);
        Emitter emitter = emitter();
        add(context, operator, emitter);
        return List.of(
                make.make(new ProcessStage.Only.Parts(context, first, emitter, null)),
                make.make(new ProcessStage.OnBroadcast.Parts(context, broadcasts, second, emitter)));
    }

    public List<Receiver> keyedBroadcast(NodeSpec.KeyedBroadcast spec) {
        KeyedBroadcastOperator<Object, Object, Object, Object> operator =
                spec.supplier().get();
        KeyedOperator<Object, Object, Object> first = operator::process;
        Operator<Object, Object> second = operator::processBroadcast;
        BroadcastStates broadcasts = broadcasts();
        KeyedProcessStage.Context context = keyedContext(spec.key(), broadcasts);
        Emitter emitter = emitter();
        add(context, operator, emitter);
        return List.of(
                make.make(new KeyedProcessStage.Only.Parts(context, spec.key().function(), first, emitter, null)),
                make.make(new ProcessStage.OnBroadcast.Parts(context, broadcasts, second, emitter)));
    }

    public Receiver keyedProcess(NodeSpec.KeyedProcess spec) {
        KeyedOperator<Object, Object, Object> operator = spec.supplier().get();
        KeyedProcessStage.Context context = keyedContext(spec.key(), null);
        Emitter emitter = emitter();
        add(context, operator, emitter);
        return make.make(
                new KeyedProcessStage.Only.Parts(context, spec.key().function(), operator, emitter, site.copies()));
    }

    public List<Receiver> keyedConnect(NodeSpec.KeyedConnect spec) {
        KeyedTwoInputOperator<Object, Object, Object, Object> operator =
                spec.supplier().get();
        KeyedProcessStage.Context context = keyedContext(spec.first(), null);
        Emitter emitter = emitter();
        add(context, operator, emitter);
        return List.of(
                make.make(new KeyedProcessStage.OneOfTwo.Parts(
                        context, false, spec.first().function(), operator, emitter)),
                make.make(new KeyedProcessStage.OneOfTwo.Parts(
                        context, true, spec.second().function(), operator, emitter)));
    }

    private void add(ProcessStage.Context context, Lifecycle<Object> operator, Emitter emitter) {
        stages.accept(make.make(new ProcessStage.Parts(context, operator, emitter)));
    }

    private void add(KeyedProcessStage.Context context, KeyedLifecycle<Object, Object> operator, Emitter emitter) {
        boolean windows = node.spec().aggregate() != null;
        stages.accept(make.make(new KeyedProcessStage.Parts(context, operator, emitter, windows)));
    }

    private Emitter emitter() {
        return new Emitter(frame, node.timed(), next, sides);
    }

    private BroadcastStates broadcasts() {
        return new BroadcastStates(node.name(), site.task());
    }

    private ProcessStage.Context context(@Nullable BroadcastStates broadcasts) {
        return new ProcessStage.Context(node.name(), site.task(), site.parallelism(), node.timed(), frame, broadcasts);
    }

    private KeyedProcessStage.Context keyedContext(KeySpec key, @Nullable BroadcastStates broadcasts) {
        return new KeyedProcessStage.Context(
                node.name(),
                site.task(),
                site.parallelism(),
                node.timed(),
                frame,
                broadcasts,
                keyCopies(key),
                key.type(),
                site.clock());
    }

    /** To copy keys with, which may be parts of records that their source reuses; null if they need no copy. */
    private @Nullable Codec<Object> keyCopies(KeySpec key) {
        return site.copies() == null || key.type().codec().immutable()
                ? null
                : key.type().codec();
    }

    // ---- aggregates

    public Receiver window(NodeSpec.Window spec) {
        return spec.window().accept(new WindowVisitor<>() {
            private Windowing windowing() {
                return StatefulStages.this.windowing(
                        spec.key(), spec.aggregate(), spec.allowedLatenessMs(), spec.late());
            }

            @Override
            public Receiver aligned(WindowSpec.Aligned window) {
                return window.sizeMs() == window.stepMs()
                        ? make.make(new TumblingStage.Parts(windowing(), window.sizeMs(), held()))
                        : make.make(new SlidingStage.Parts(windowing(), window));
            }

            @Override
            public Receiver session(WindowSpec.Session window) {
                return make.make(new SessionStage.Parts(windowing(), window.gapMs()));
            }

            @Override
            public Receiver count(WindowSpec.Count window) {
                return keyedProcess(spec.counting(window));
            }

            @Override
            public Receiver whole(WindowSpec.Whole window) {
                return make.make(new WholeStage.Parts(windowing(), held()));
            }
        });
    }

    public Receiver running(NodeSpec.Running spec) {
        return make.make(new RunningStage.Parts(windowing(spec.key(), spec.aggregate(), 0, null), held()));
    }

    /** Null if records may not be processed later than they come. */
    private @Nullable LookupBatch held() {
        return site.mayHold() ? new LookupBatch(site.stepRecords()) : null;
    }

    private Windowing windowing(
            KeySpec key,
            Aggregate<Object, Object, Object> aggregate,
            long latenessMs,
            @Nullable SideOutput<Object> late) {
        Layout layout = new Layout(aggregate);
        return new Windowing(
                node.name(),
                frame,
                key.function(),
                KeyHash.of(key.type().raw(), make),
                layout,
                Adder.of(layout, make),
                Results.of(layout, make),
                WindowTimes.lateness(latenessMs),
                late == null ? null : sides.get(late.name()),
                aggregate.keepsRecords() ? site.copies() : null,
                keyCopies(key),
                keyedState(key),
                next);
    }

    public Receiver distinct(NodeSpec.Distinct spec) {
        return make.make(new DistinctStage.Parts(
                node.name(),
                frame,
                spec.key().function(),
                KeyHash.of(spec.key().type().raw(), make),
                keyCopies(spec.key()),
                keyedState(spec.key()),
                next));
    }

    private KeyedState keyedState(KeySpec key) {
        SavedFormats.Saved saved = Objects.requireNonNull(SavedFormats.of(node.spec()), "the operator keeps nothing");
        return new KeyedState(
                new StateName(node.name(), saved.name()),
                saved.format(),
                key.type().codec());
    }

    // ---- others

    /** @param onReached may be run more than once */
    public Receiver limit(Limit spec, Runnable onReached) {
        return make.make(new LimitStage.Parts(node.name(), spec, next, onReached));
    }

    /** @param warnings gets lines for the user */
    public Receiver tableJoin(NodeSpec.TableJoin spec, Consumer<String> warnings) {
        return new TableJoinStage(node.name(), site.task() == 0, frame, spec, site.clock(), warnings, next);
    }

    /**
     * @param passed counts records that the operator is done with
     * @param wakeUp wakes the task when there are answers
     */
    public Receiver asyncMap(AsyncMap spec, Count.Passed passed, Runnable wakeUp) {
        HeldRecords<AsyncStage.Waiting> records = new HeldRecords<>(
                spec.supplier().get(),
                context(null),
                spec.options(),
                site.clock()::nowNs,
                wakeUp,
                record -> record.enter(frame));
        return new AsyncStage(node.name(), frame, records, spec.function(), null, passed, next);
    }

    /** The same, with state per key. */
    public Receiver keyedAsyncMap(KeyedAsyncMap spec, Count.Passed passed, Runnable wakeUp) {
        AsyncKeys keys = new AsyncKeys(
                keyedContext(spec.key(), null),
                spec.key().function(),
                spec.supplier().get());
        HeldRecords<AsyncStage.Waiting> records = new HeldRecords<>(
                keys, keys.context(), spec.options(), site.clock()::nowNs, wakeUp, record -> record.enter(frame));
        return new AsyncStage(node.name(), frame, records, keys, keys, passed, next);
    }
}
