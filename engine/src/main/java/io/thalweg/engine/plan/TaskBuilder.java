// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.connector.Source;
import io.thalweg.api.graph.Cardinality;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.Node;
import io.thalweg.engine.ack.Anchor;
import io.thalweg.engine.ack.Pending;
import io.thalweg.engine.chain.ChainTask;
import io.thalweg.engine.chain.DrainLoop;
import io.thalweg.engine.chain.DrainTask;
import io.thalweg.engine.chain.FeedbackSnapshot;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.HostedTask;
import io.thalweg.engine.chain.LoopPart;
import io.thalweg.engine.chain.LoopTask;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.TaskParts;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.route.Acks;
import io.thalweg.engine.source.AckTracker;
import io.thalweg.engine.source.AckedInput;
import io.thalweg.engine.source.AckedLoop;
import io.thalweg.engine.source.AckedSender;
import io.thalweg.engine.source.Confirmations;
import io.thalweg.engine.source.EventTimes;
import io.thalweg.engine.source.LiveSplits;
import io.thalweg.engine.source.PollLoop;
import io.thalweg.engine.source.SourceAccess;
import io.thalweg.engine.source.SourceTask;
import io.thalweg.engine.source.TaskSplits;
import io.thalweg.engine.stats.AckCounters;
import io.thalweg.engine.stats.TaskCounters;
import io.thalweg.engine.work.Pieces;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/** Builds one task: its chain, and the input before it. */
final class TaskBuilder {
    private final TaskSite site;
    private final JobBuild job;
    private final Node head;
    private final ReusedRecords reused;
    private final ChainBuilder chain;
    private @Nullable AckCounters ackCounters;

    TaskBuilder(TaskSite site) {
        this.site = site;
        job = site.job();
        head = site.chain().head();
        reused = new ReusedRecords(site);
        chain = new ChainBuilder(site, reused);
    }

    ChainTask build() {
        List<Receiver> entries = chain.entries();
        Collections.reverse(chain.parts().stages);
        Source<Object> source = head.spec().source();
        if (source != null) {
            return sourceTask(source, entries.get(0));
        }
        return job.links() instanceof JobBuild.Hosting hosting
                ? hostedTask(hosting, entries)
                : drainTask((JobBuild.Local) job.links(), entries);
    }

    /** The ack counters of the task; null if it is not a source task, or the job is not acked. */
    @Nullable AckCounters ackCounters() {
        return ackCounters;
    }

    private TaskParts parts() {
        ChainParts built = chain.parts();
        boolean sinks =
                site.chain().nodes().stream().anyMatch(node -> node.spec().sink() != null);
        SavedState saved = job.saved();
        TaskCounters counters = new TaskCounters();
        List<String> operators = site.chain().nodes().stream().map(Node::name).toList();
        counters.connections = () -> job.settings().lost().stats(operators, site.index());
        site.frame().measured = input -> counters.input = input;
        return new TaskParts(
                site.chain().name() + "[" + site.index() + "]",
                site.frame(),
                built.stages,
                built.outlets,
                new TaskParts.Sinks(
                        built.written,
                        built.sinksOfAll,
                        sinks && TaskCounters.ON ? new SingleWriterRecorder(TaskParts.MAX_LATENCY_US, 3) : null),
                site.chain().blocking(),
                counters,
                job.agreement(),
                job.settings().clock(),
                new TaskParts.Saving(
                        site.number(),
                        head.name(),
                        job.checkpoints(),
                        saved == null ? null : new Restored(saved, site.index(), site.parallelism())));
    }

    private DrainTask drainTask(JobBuild.Local local, List<Receiver> entries) {
        AckPaths acks = local.acks();
        if (acks != null) {
            Acks reports = acks.acksOf(site.number(), site.frame());
            site.frame().anchor = new Anchor(site.number(), oneOfOne(), reports);
            chain.parts().outlets.add(reports);
        }
        List<DrainLoop> loops = new ArrayList<>(); // one for each input of the operator
        for (Receiver entry : entries) {
            loops.add(site.specialiser().make(new DrainLoop.Draining.Parts(site.frame(), entry)));
        }
        LoopPart loop = site.loop();
        if (loop != null) {
            return loopTask(local, loops, loop);
        }
        return new DrainTask(parts(), inlets(local, loops, site.graph().inputsOf(head).stream()));
    }

    private LoopTask loopTask(JobBuild.Local local, List<DrainLoop> loops, LoopPart part) {
        List<Edge> inputs = site.graph().inputsOf(head);
        List<LoopTask.Back> back = new ArrayList<>();
        List<DrainTask.In> restored = new ArrayList<>();
        long onTheirWay = 0;
        for (FeedbackSnapshot stream : FeedbackSnapshot.into(site.graph(), head)) {
            inlets(local, loops, Stream.of(stream.edge())).forEach(in -> back.add(new LoopTask.Back(in, stream)));
            FeedbackSnapshot.OnTheirWay records = onTheirWay(local.loops(), stream);
            if (records != null) {
                restored.add(
                        new DrainTask.In(records.ring(), loops.get(stream.edge().input())));
                onTheirWay += records.records();
            }
        }
        LoopTask.Inputs by = new LoopTask.Inputs(
                inlets(
                        local,
                        loops,
                        inputs.stream().filter(edge -> !local.loops().within(edge))),
                inlets(local, loops, inputs.stream().filter(local.loops()::within)),
                back,
                restored,
                onTheirWay);
        String leadsBack = site.chain().nodes().stream()
                .filter(node -> !Loops.from(site.graph(), node).isEmpty())
                .map(Node::name)
                .findFirst()
                .orElse("");
        return new LoopTask(parts(), by, part, leadsBack);
    }

    /** What was on its way back to this task at the checkpoint that the job continues from; null if nothing was. */
    private FeedbackSnapshot.@Nullable OnTheirWay onTheirWay(Loops loops, FeedbackSnapshot stream) {
        SavedState saved = job.saved();
        return saved == null
                ? null
                : loops.onTheirWay(
                        stream, saved, site.index(), job.settings().clock().nowNs());
    }

    private List<DrainTask.In> inlets(JobBuild.Local local, List<DrainLoop> loops, Stream<Edge> edges) {
        return edges.flatMap(edge -> local.queues().to(edge, site.index()).stream()
                        .map(ring -> new DrainTask.In(ring, loops.get(edge.input()))))
                .toList();
    }

    private HostedTask hostedTask(JobBuild.Hosting hosting, List<Receiver> entries) {
        if (hosting.acks() != null) {
            boolean atOnce =
                    !head.spec().asynchronous(); // otherwise each record is done only when its answer was emitted
            site.frame().anchor = new Anchor(site.number(), atOnce, hosting.acks());
        }
        return new HostedTask(
                parts(),
                HostedInput.of(job.plan(), site.chain(), site.index()).stream()
                        .map(input -> entries.get(
                                site.graph().edges().get(input.link()).input()))
                        .toList());
    }

    private SourceTask sourceTask(Source<Object> source, Receiver entry) {
        Frame frame = site.frame();
        BuildSettings settings = job.settings();
        List<String> all = job.splits().getOrDefault(head.id(), List.of());
        TaskSplits splits = TaskSplits.share(head.name(), all, site.index(), site.parallelism());
        EventTimes times = new EventTimes(chain.parts().times);
        AckedInput acked = ackedInput(splits, times, entry);
        PollLoop loop = acked == null
                ? site.specialiser().make(new PollLoop.Polling.Parts(frame, entry, frame.poisonRecords != null))
                : acked.loop();
        SourceAccess access = new SourceAccess(
                source,
                new LiveSplits.Sharing(all, site.index(), site.parallelism(), job.saved() != null),
                source.blocking() && settings.threaded(),
                guaranteedElsewhere(),
                decoding(source, all.size()),
                site.wakeUp(),
                settings.warnings());
        return new SourceTask(
                parts(),
                new SourceTask.Reading(
                        head.id(),
                        splits,
                        access,
                        times,
                        loop,
                        acked,
                        settings.stepRecords(),
                        settings.failureHistory()));
    }

    /** Null if the job is not acked. */
    private @Nullable AckedInput ackedInput(TaskSplits splits, EventTimes times, Receiver entry) {
        AckPaths acks = job.links() instanceof JobBuild.Local local ? local.acks() : null;
        Pending pending = acks == null ? null : acks.pendingOf(site.number());
        if (acks == null || pending == null) {
            return null;
        }
        AckCounters counters = new AckCounters();
        ackCounters = counters;
        Frame frame = site.frame();
        AckTracker tracker = new AckTracker(
                splits,
                frame,
                pending,
                acks.to(site.number()),
                counters,
                new Confirmations(splits, safety()),
                job.settings().clock());
        Anchor anchor = new Anchor(site.number(), oneOfOne(), tracker);
        frame.anchor = anchor;
        AckedSender sender = new AckedSender(
                splits,
                frame,
                anchor,
                pending,
                times,
                reused.copiesOf(head),
                job.settings().clock());
        return new AckedInput(
                tracker, sender, site.specialiser().make(new AckedLoop.Polling.Parts(frame, entry, anchor, sender)));
    }

    private SourceAccess.@Nullable Decoding decoding(Source<Object> source, int splits) {
        Pieces pieces = job.settings().pieces();
        return pieces == null || !source.decodesInPieces()
                ? null
                : new SourceAccess.Decoding(pieces, pieces.threadsFor(splits));
    }

    private boolean guaranteedElsewhere() {
        return job.links() instanceof JobBuild.Hosting hosting && (hosting.acks() != null || job.checkpoints() != null);
    }

    private Confirmations.Safe safety() {
        if (job.checkpoints() != null) {
            return Confirmations.Safe.BY_CHECKPOINT;
        }
        boolean immediate = site.graph().nodes().stream()
                .map(node -> node.spec().sink())
                .allMatch(sink -> sink == null || sink.immediate());
        return immediate ? Confirmations.Safe.AT_ONCE : Confirmations.Safe.AT_THE_END;
    }

    /** True if no operator of the chain makes more than one record from one. */
    private boolean oneOfOne() {
        boolean one = true;
        for (Node node : site.chain().nodes()) {
            List<Edge> edges = Loops.outputsOf(site.graph(), node);
            one &= node.spec().cardinality() != Cardinality.ANY
                    && edges.size() <= 1
                    && edges.stream().noneMatch(edge -> edge.grouping().copies());
        }
        return one;
    }
}
