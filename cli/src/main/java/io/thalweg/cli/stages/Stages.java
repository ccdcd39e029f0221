// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.stages;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.Timing;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.HostedPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Times the operators of a job one by one, as the telecom study did by hand: what each takes for a record says how many
 * tasks it needs beside the others.
 */
public final class Stages {
    /** With fewer records than this, state and branches are hardly those of the job. */
    private static final long FEW = 1_000;

    /** Of its time: below it, an operator waits in calls. */
    private static final double MOSTLY_ON_CORE = 0.8;

    /** Of all time: above it, caches are shared with others so often that figures are worse than alone. */
    private static final double CROWDED = 0.2;

    private final TopologyGraph job;
    private final Duration warmUp;
    private final Consumer<String> progress;

    /**
     * Nothing runs before {@link #measure}.
     *
     * @param warmUp how long an operator is given to become fast, at most
     * @param progress is told what is being done, in a line
     */
    public Stages(TopologyGraph job, Duration warmUp, Consumer<String> progress) {
        this.job = job;
        this.warmUp = warmUp;
        this.progress = progress;
    }

    /**
     * Records and times. The job's sinks get nothing; its sources are read once, and its operators process what was read many times.
     *
     * @param mostRecords that sources read
     * @param atMost how long they are read
     * @param wantedRate records of sources per second that tasks are wanted for; null for none
     * @throws io.thalweg.api.graph.TopologyException if operators of this job cannot run one by one
     * @throws io.thalweg.run.JobFailedException if a source or an operator fails
     * @throws ConnectorException if there is nothing to time
     */
    public StagesReport measure(long mostRecords, Duration atMost, @Nullable Double wantedRate, int cores)
            throws InterruptedException {
        Recorder recorder = new Recorder(job, mostRecords);
        progress.accept("records what comes to each operator");
        Recording recording = recorder.record(atMost);
        if (recording.read() == 0) {
            throw new ConnectorException("there is nothing to time: "
                    + sources()
                    + (recording.complete() ? " has no records" : " has had no record within " + words(atMost))
                    + (recording.bad() > 0 ? " but bad ones: " + recording.bad() : ""));
        }
        HostedPlan plan = Hosting.plan(job, StageGraphs.timing(job));
        StageTimer timer = new StageTimer(plan, warmUp);
        Map<Node, StageTiming> timings = new LinkedHashMap<>();
        List<StagesReport.Untimed> untimed = new ArrayList<>();
        for (Node node : job.nodes()) {
            String why = whyUntimed(node, recording);
            if (why == null) {
                progress.accept("times '" + node.name() + "'");
                timings.put(
                        node, timer.time(part(plan, node), recording.samples().get(node.id())));
            } else {
                untimed.add(new StagesReport.Untimed(node.name(), node.spec().kind(), why));
            }
        }
        return report(recording, timings, untimed, wantedRate, cores);
    }

    private StagesReport report(
            Recording recording,
            Map<Node, StageTiming> timings,
            List<StagesReport.Untimed> untimed,
            @Nullable Double wantedRate,
            int cores) {
        double allNs = timings.entrySet().stream()
                .mapToDouble(each -> sourceNs(recording, each.getKey(), each.getValue()))
                .sum();
        Double balanced = timings.isEmpty() ? null : Double.valueOf(Balance.rate(allNs, cores));
        List<StagesReport.Stage> stages = new ArrayList<>();
        timings.forEach((node, timing) -> {
            double ownNs = sourceNs(recording, node, timing);
            long in = recording.received(node);
            long out = recording.emitted(node);
            stages.add(new StagesReport.Stage(
                    node.name(),
                    node.spec().kind(),
                    in,
                    out,
                    (double) out / in,
                    1e9 / timing.medianNs(),
                    1e9 / timing.highestNs(),
                    1e9 / timing.lowestNs(),
                    timing.onCore(),
                    timing.crowded(),
                    timing.rising(),
                    ownNs,
                    ownNs / allNs,
                    balanced == null ? 1 : Balance.tasks(ownNs, balanced),
                    wantedRate == null ? null : Long.valueOf(Balance.tasks(ownNs, wantedRate)),
                    notes(node, recording, timing)));
        });
        return new StagesReport(
                StagesReport.VERSION,
                job.name(),
                recording.read(),
                recording.bad(),
                recording.complete(),
                cores,
                passing().medianNs(),
                allNs,
                balanced,
                wantedRate,
                stages,
                untimed);
    }

    private static double sourceNs(Recording recording, Node node, StageTiming timing) {
        return timing.medianNs() * recording.received(node) / recording.read();
    }

    private @Nullable String whyUntimed(Node node, Recording recording) {
        NodeSpec spec = node.spec();
        if (spec.source() != null) {
            return "it was read once, for the recording: " + recording.emitted(node) + " records"
                    + (recording.complete() ? ", all that it has" : "")
                    + (recording.full()
                            ? ", and no more because half of the heap is used (THALWEG_OPTS=-Xmx… gives more)"
                            : "")
                    + (isOnly(node) ? " in " + millis(recording.readNs()) + " ms, with the recording itself" : "");
        }
        if (spec.sink() != null) {
            return "it was not opened, so that nothing is written: " + recording.received(node)
                    + " records would have come to it";
        }
        if (recording.samples().get(node.id()).kept() == 0) {
            return "no record came to it";
        }
        if (spec.timing() == Timing.ASSIGNS) {
            return "it reads times in the task of its source, and cannot run alone";
        }
        if (spec.asynchronous()) {
            return "it waits for others, not for a core: what it asks decides how fast it is";
        }
        return null;
    }

    private boolean isOnly(Node source) {
        return job.nodes().stream().allMatch(node -> node.spec().source() == null || node.id() == source.id());
    }

    private static long millis(long ns) {
        return ns / 1_000_000;
    }

    private static List<String> notes(Node node, Recording recording, StageTiming timing) {
        List<String> notes = new ArrayList<>();
        long in = recording.received(node);
        long kept = recording.samples().get(node.id()).kept();
        if (in < FEW) {
            notes.add("only " + in + (in == 1 ? " record" : " records") + " came to it");
        }
        if (kept < in) {
            notes.add("timed with the first " + kept + " of " + in + " records that came to it");
        }
        if (node.spec().stateful()) {
            notes.add(
                    recording.complete()
                            ? "timed with the state that its records leave"
                            : "timed with the state that its records leave; windows that were open when the recording ended"
                                    + " fired then, so it may emit less in the job");
        }
        if (timing.rising()) {
            notes.add("was still getting faster");
        }
        if (timing.onCore() < MOSTLY_ON_CORE) {
            notes.add("stands still, in calls or for collections of garbage, for "
                    + Math.round(100 - timing.onCore() * 100) + " % of its time"
                    + (timing.crowded() == null ? ", or others keep the cores busy" : ""));
        }
        Double crowded = timing.crowded();
        if (crowded != null && crowded > CROWDED) {
            notes.add("had no core for " + Math.round(crowded * 100)
                    + " % of the time, because others kept them busy; that time is left out");
        }
        return notes;
    }

    private String sources() {
        return job.nodes().stream()
                .filter(node -> node.spec().source() != null)
                .map(node -> "source '" + node.name() + "'")
                .collect(Collectors.joining(", "));
    }

    private static String words(Duration time) {
        return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }

    private static HostedPlan.Part part(HostedPlan plan, Node node) {
        return plan.parts().stream()
                .filter(each -> each.operators().equals(List.of(node.name())))
                .findFirst()
                .orElseThrow();
    }

    /** What giving and taking costs: an operator that does nothing. */
    private StageTiming passing() {
        Topology topology = Topology.named("passing");
        topology.from(Sources.of(1L)).map(value -> value).name("pass").to(Sinks.discard());
        TopologyGraph graph = topology.graph();
        HostedPlan plan = Hosting.plan(graph, StageGraphs.timing(graph));
        Sample sample = new Sample();
        for (long i = 0; i < FEW; i++) {
            sample.add(new Sample.Item(0, i, 0, 0));
        }
        Node pass = graph.nodes().stream()
                .filter(node -> node.name().equals("pass"))
                .findFirst()
                .orElseThrow();
        return new StageTimer(plan, warmUp).time(part(plan, pass), sample);
    }
}
