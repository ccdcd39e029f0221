// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.Source;
import io.thalweg.api.graph.Cardinality;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.graph.WatermarkSteps;
import io.thalweg.engine.ack.Anchor;
import io.thalweg.engine.ack.Pending;
import io.thalweg.engine.ack.Reports;
import io.thalweg.engine.chain.ChainTask;
import io.thalweg.engine.chain.Count;
import io.thalweg.engine.chain.DrainLoop;
import io.thalweg.engine.chain.DrainTask;
import io.thalweg.engine.chain.FanOut;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.HostedTask;
import io.thalweg.engine.chain.Outlet;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Setbacks;
import io.thalweg.engine.chain.Specialiser;
import io.thalweg.engine.chain.Stage;
import io.thalweg.engine.chain.Trials;
import io.thalweg.engine.checkpoint.Barriers;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.queue.Ring;
import io.thalweg.engine.route.Acks;
import io.thalweg.engine.route.Carrier;
import io.thalweg.engine.route.Handover;
import io.thalweg.engine.sink.SinkStage;
import io.thalweg.engine.source.AckedLoop;
import io.thalweg.engine.source.Acking;
import io.thalweg.engine.source.AlignedSplits;
import io.thalweg.engine.source.LiveSplits;
import io.thalweg.engine.source.PollLoop;
import io.thalweg.engine.source.SlowestSplits;
import io.thalweg.engine.source.SourceTask;
import io.thalweg.engine.source.TimeReader;
import io.thalweg.engine.stats.AckCounters;
import io.thalweg.engine.stats.TaskCounters;
import io.thalweg.engine.work.Pieces;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/** Builds one task: the receivers of its chain from the far end to the input, its outlets, its input. */
final class Assembly {
    /** What all tasks of a job are built with. */
    record Job(
            Plan plan,
            BuildSettings settings,
            ChainTask.Agreement agreement,
            Frame.BadRecords badRecords,
            IdentityHashMap<Edge, Ring[][]> rings,
            Map<Integer, List<String>> splits,
            @Nullable Barriers checkpoints,
            @Nullable SavedState saved,
            @Nullable AckPaths acks,
            Map<Integer, SlowestSplits> slowest,
            @Nullable Hosting hosting) {}

    /**
     * Of a task that somebody else runs.
     *
     * @param acks hears of records that failed; null if the job is not acked
     */
    record Hosting(Carrier carrier, @Nullable Reports acks) {}

    private static final Receiver NOWHERE = value -> {};

    final Job job;
    final Chain chain;
    final int index;
    private final int number;
    final Runnable wakeUp;
    final Frame frame;
    final Specialiser specialiser;
    final List<Stage> stages = new ArrayList<>();
    final List<TimeReader> times = new ArrayList<>();
    final List<Count.Passed> written = new ArrayList<>();
    int sinksOfAll;
    private final List<Outlet> outlets = new ArrayList<>();
    private final StageFactory factory;

    /** Null if the task reads nothing, or the job is not acked. */
    @Nullable AckCounters ackCounters;

    /**
     * @param number of the task among all of the job
     * @param wakeUp runs the thread that the task is on, if it sleeps
     */
    Assembly(Job job, Chain chain, int index, int number, Runnable wakeUp) {
        this.number = number;
        this.wakeUp = wakeUp;
        this.job = job;
        this.chain = chain;
        this.index = index;
        frame = new Frame(job.badRecords());
        Setbacks setbacks = job.settings().setbacks();
        if (setbacks.tries() > 0) {
            frame.trials = new Trials(frame, setbacks, job.settings().clock());
        }
        specialiser = new Specialiser(job.settings().specialise());
        factory = new StageFactory(this);
    }

    TopologyGraph graph() {
        return job.plan().graph();
    }

    ChainTask build() {
        Node head = chain.head();
        Source<Object> source = head.spec().source();
        List<Receiver> entries =
                source != null ? List.of(output(head, Edge.MAIN, true)) : factory.receivers(head, true);
        Collections.reverse(stages);
        boolean sinks = chain.nodes().stream().anyMatch(node -> node.spec().sink() != null);
        ChainTask.Parts parts = new ChainTask.Parts(
                chain.name() + "[" + index + "]",
                frame,
                stages,
                outlets,
                written,
                sinksOfAll,
                chain.blocking(),
                sinks && TaskCounters.ON ? new SingleWriterRecorder(ChainTask.MAX_LATENCY_US, 3) : null,
                new TaskCounters(),
                job.agreement(),
                job.settings().clock(),
                saving());
        AckPaths acks = job.acks();
        if (source != null) {
            Receiver entry = entries.get(0);
            PollLoop loop = specialiser.make(PollLoop.Polling.class, frame, entry);
            List<String> all = job.splits().getOrDefault(head.id(), List.of());
            List<String> own = share(all);
            Acking acking = acks == null ? null : acking(head, own, acks);
            AckedLoop acked = acking == null ? null : specialiser.make(AckedLoop.Polling.class, frame, entry, acking);
            return new SourceTask(
                    parts,
                    new SourceTask.Reading(
                            head.id(),
                            head.name(),
                            source,
                            new LiveSplits.Sharing(all, index, chain.parallelism()),
                            own,
                            loop,
                            times,
                            job.settings().stepRecords(),
                            source.blocking() && job.settings().threaded(),
                            wakeUp,
                            guaranteedElsewhere(),
                            acking,
                            acked,
                            job.settings().setbacks(),
                            job.settings().warnings(),
                            pieces(source, all.size())));
        }
        if (acks != null) {
            Acks reports = new Acks(frame, acks.from(number), acks.sources());
            frame.anchor = new Anchor(number, oneOfOne(), reports);
            outlets.add(reports);
        }
        Hosting hosting = job.hosting();
        if (hosting != null) {
            if (hosting.acks() != null) {
                boolean atOnce = !head.spec().asynchronous(); // or else each is to be told of when it is answered
                frame.anchor = new Anchor(number, atOnce, hosting.acks());
            }
            return new HostedTask(
                    parts,
                    HostedInput.of(job.plan(), chain, index).stream()
                            .map(input -> entries.get(
                                    graph().edges().get(input.link()).input()))
                            .toList());
        }
        return new DrainTask(parts, inlets(head, entries));
    }

    private SourceTask.@Nullable Decoding pieces(Source<Object> source, int splits) {
        Pieces pieces = job.settings().pieces();
        return pieces == null || !source.decodesInPieces()
                ? null
                : new SourceTask.Decoding(pieces, pieces.threadsFor(splits));
    }

    private @Nullable Acking acking(Node head, List<String> splits, AckPaths acks) {
        Pending pending = acks.pendingOf(number);
        if (pending == null) {
            return null;
        }
        AckCounters counters = new AckCounters();
        ackCounters = counters;
        Codec<Object> copies =
                factory.reused(head) && head.output() != null ? head.output().codec() : null;
        Acking acking = new Acking(
                number,
                head.name(),
                splits,
                frame,
                oneOfOne(),
                pending,
                acks.to(number),
                times,
                copies,
                counters,
                keeps(),
                job.settings().clock());
        frame.anchor = acking.anchor();
        return acking;
    }

    private boolean guaranteedElsewhere() {
        Hosting hosting = job.hosting();
        return hosting != null && (hosting.acks() != null || job.checkpoints() != null);
    }

    private Acking.Keeps keeps() {
        if (job.checkpoints() != null) {
            return Acking.Keeps.BY_CHECKPOINT;
        }
        boolean immediate = graph().nodes().stream()
                .map(node -> node.spec().sink())
                .allMatch(sink -> sink == null || sink.immediate());
        return immediate ? Acking.Keeps.NOTHING : Acking.Keeps.UNTIL_THE_END;
    }

    /** True if no operator of the chain ever makes more than one record of one. */
    private boolean oneOfOne() {
        boolean one = true;
        for (Node node : chain.nodes()) {
            List<Edge> edges = graph().outputsOf(node);
            one &= node.spec().cardinality() != Cardinality.ANY
                    && edges.size() <= 1
                    && edges.stream().noneMatch(edge -> edge.grouping().copies());
        }
        return one;
    }

    /** Number of the checkpoint, as {@link SinkContext#checkpoint} has it. */
    long goesOnFrom() {
        SavedState saved = job.saved();
        if (job.checkpoints() == null) {
            return SinkContext.NO_CHECKPOINTS;
        }
        return saved == null ? 0 : saved.info().number();
    }

    private ChainTask.Saving saving() {
        SavedState saved = job.saved();
        return new ChainTask.Saving(
                number,
                chain.head().name(),
                job.checkpoints(),
                saved == null ? null : new Restored(saved, index, chain.parallelism()));
    }

    /** The task's own of all splits. */
    private List<String> share(List<String> all) {
        List<String> own = new ArrayList<>();
        for (int i = index; i < all.size(); i += chain.parallelism()) {
            own.add(all.get(i));
        }
        return own;
    }

    /** Each input of the operator has a loop of its own. */
    private List<DrainTask.In> inlets(Node head, List<Receiver> entries) {
        List<DrainLoop> loops = new ArrayList<>();
        for (Receiver entry : entries) {
            loops.add(specialiser.make(DrainLoop.Draining.class, frame, entry));
        }
        List<DrainTask.In> inlets = new ArrayList<>();
        for (Edge edge : graph().inputsOf(head)) {
            for (Ring[] ofProducer : rings(edge)) {
                if (ofProducer[index] != null) {
                    inlets.add(new DrainTask.In(ofProducer[index], loops.get(edge.input())));
                }
            }
        }
        return inlets;
    }

    private Ring[][] rings(Edge edge) {
        Ring[][] rings = job.rings().get(edge);
        if (rings == null) {
            throw new IllegalStateException("no queues for " + edge);
        }
        return rings;
    }

    /** What the node's operator pushes into. */
    Receiver output(Node node, String port, boolean oneToOne) {
        List<Edge> edges = graph().outputsOf(node).stream()
                .filter(edge -> edge.port().equals(port))
                .toList();
        boolean alone = edges.size() == 1;
        Receiver[] branches = edges.stream()
                .map(edge -> factory.checkingKeys(
                        edge,
                        job.plan().fused(edge)
                                ? factory.receivers(graph().node(edge.to()), oneToOne && alone)
                                        .get(edge.input())
                                : outlet(edge)))
                .toArray(Receiver[]::new);
        if (branches.length == 0) {
            return NOWHERE;
        }
        Codec<Object> copies = edges.get(0).type().codec();
        return alone
                ? branches[0]
                : specialiser.make(FanOut.class, frame, branches, factory.reused(node) ? copies : null);
    }

    /** The entry of a node's own operator, which hears of time and of the end, and is tried again after a failure. */
    Receiver operator(Node node, Receiver receiver) {
        if (receiver instanceof Stage stage) {
            stages.add(stage);
        }
        Trials trials = frame.trials;
        return trials == null
                ? receiver
                : specialiser.make(Trials.Passing.class, receiver, trials.passedBy(node.name()));
    }

    void addStage(Stage stage) {
        stages.add(stage);
    }

    /** The sink's entry, behind a counter if not every record of the input comes so far. */
    Receiver written(SinkStage.Write write, boolean oneToOne) {
        if (oneToOne || !TaskCounters.ON) {
            sinksOfAll++;
            return write;
        }
        Count.Passed passed = new Count.Passed();
        written.add(passed);
        return specialiser.make(Count.class, write, passed);
    }

    private Outlet outlet(Edge edge) {
        Node from = graph().node(edge.from());
        Codec<Object> copies = factory.reused(from) ? edge.type().codec() : null;
        long step = from.timed() ? WatermarkSteps.at(graph(), graph().node(edge.to())) : 0;
        Hosting hosting = job.hosting();
        int tasks = job.plan().parallelism(graph().node(edge.to()));
        Outlets to = hosting == null
                ? new Outlets.ToRings(this, edge, tasks, ownRings(edge), step, copies)
                : new Outlets.ToCarrier(
                        this,
                        edge,
                        hosting.carrier(),
                        new Handover.Edge(HostedInput.link(graph(), edge), tasks, step, copies));
        Outlet outlet = to.outlet();
        outlets.add(outlet);
        return outlet;
    }

    /** Tasks that another engine runs do not hear of each other: such a source has one task. */
    AlignedSplits alignedSplits(Node node, long boundMs) {
        SlowestSplits all = job.slowest().get(node.id());
        return all == null
                ? new AlignedSplits(boundMs, new SlowestSplits(List.of(wakeUp)), 0)
                : new AlignedSplits(boundMs, all, index);
    }

    private List<Ring> ownRings(Edge edge) {
        Ring[] ownRings = rings(edge)[index];
        List<Ring> rings = new ArrayList<>();
        for (Ring ring : ownRings) {
            if (ring != null) {
                rings.add(ring);
            }
        }
        return rings;
    }

    /** One ring for each pair of tasks that the edge connects. */
    static Ring[][] rings(Plan plan, Edge edge, BuildSettings settings, Runnable[] producers, Runnable[] consumers) {
        boolean timed = plan.graph().node(edge.from()).timed();
        boolean straight = plan.straight(edge);
        Ring[][] rings = new Ring[producers.length][consumers.length];
        for (int from = 0; from < producers.length; from++) {
            for (int to = 0; to < consumers.length; to++) {
                if (!straight || from == to) {
                    rings[from][to] = new Ring(
                            settings.queueBatches(),
                            settings.batchRecords(),
                            timed,
                            settings.acks() != null,
                            producers[from],
                            consumers[to]);
                }
            }
        }
        return rings;
    }

    Map<String, Receiver> sides(Node node) {
        Map<String, Receiver> sides = new HashMap<>();
        graph().outputsOf(node).stream()
                .map(Edge::port)
                .filter(port -> !port.equals(Edge.MAIN))
                .distinct()
                .forEach(port -> sides.put(port, output(node, port, false)));
        return sides;
    }
}
