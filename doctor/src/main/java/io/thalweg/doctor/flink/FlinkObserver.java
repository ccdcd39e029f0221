// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.flink;

import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.LatencyStats;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.doctor.observation.EdgeTotals;
import io.thalweg.doctor.observation.FlinkDetails;
import io.thalweg.doctor.observation.FlinkVertex;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.ProcessSpan;
import io.thalweg.doctor.observation.Restarts;
import io.thalweg.doctor.observation.Span;
import io.thalweg.doctor.observation.Spans;
import io.thalweg.doctor.observation.TaskSpan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes an observation of a job that runs on a cluster, looked at about once a second through the REST API. It starts
 * and changes nothing there. Not thread-safe.
 */
public final class FlinkObserver {
    /** Of a span: shorter ones say nothing, for Flink counts in milliseconds and its figures are not of one moment. */
    private static final long MIN_SPAN_MS = 900;

    private static final long NS_PER_MS = 1_000_000;

    /** If a job waits to be restarted, failures that are not older than this are its cause. */
    private static final long RECENT_MS = 600_000;

    /** What a task counted is spread over the span by this at most. */
    private static final double MOST_FACTOR = 20;

    /** Of the time. Where the tasks of a vertex do so little, it does not matter what that is. */
    private static final double WORTH_SAMPLES = 0.3;

    private final FlinkRest rest;
    private final FlinkJob job;
    private final FlinkPlan plan;
    private final Subtasks subtasks;
    private final FlinkSettings settings;
    private final Map<String, VertexBuffers> buffers = new LinkedHashMap<>();
    private final FlameGraphs graphs;
    private @Nullable Long networkRequested;
    private final Spans spans = new Spans();
    private final long beganMs;
    private final Map<String, Integer> firstAttempts = new HashMap<>();
    private Map<String, TaskTotals> tasks = new LinkedHashMap<>();
    private Map<String, ProcessTotals> processes = new LinkedHashMap<>();
    private final Map<String, Long> recordsInto = new HashMap<>();
    private long lastMs;
    private long nowMs;
    private long startMs;
    private int restarts;

    /** Tasks without a slot at the last look, if no task runs. */
    private @Nullable Long waitingForSlots;

    private boolean measured;
    private String state;

    /**
     * Looks at the job for the first time.
     *
     * @throws IOException if it cannot be looked at; the message is one line
     */
    public FlinkObserver(FlinkRest rest, FlinkJob job) throws IOException, InterruptedException {
        this.rest = rest;
        this.job = job;
        Answer details = rest.get(job.path());
        String version = rest.get("/config").at("flink-version").text();
        plan = FlinkPlan.of(details, version, TaskManagers.slots(rest));
        subtasks = new Subtasks(rest, job.path(), plan);
        state = job.state();
        take(details);
        beganMs = nowMs;
        lastMs = nowMs;
        for (TaskTotals task : subtasks.look()) {
            tasks.put(task.name(), task);
            firstAttempts.put(task.name(), task.attempt());
        }
        processes = processes();
        settings = FlinkSettings.of(rest, job.path());
        graphs = new FlameGraphs(rest, job.path());
        plan.names().forEach((id, name) -> {
            String path = job.path() + "/vertices/" + id;
            buffers.put(id, new VertexBuffers(rest, path, !subtasks.isSource(name), !isLast(name)));
        });
        lookAtBuffers();
    }

    private void lookAtBuffers() throws IOException, InterruptedException {
        for (VertexBuffers each : buffers.values()) {
            each.look();
        }
    }

    private void take(Answer details) {
        state = details.at("state").text();
        startMs = details.at("start-time").count();
        nowMs = Math.max(Math.max(nowMs, startMs), details.at("now").count());
    }

    /**
     * Takes what was counted until now.
     *
     * @return false if the job has ended
     */
    public boolean look() throws IOException, InterruptedException {
        Answer details = rest.find(job.path());
        if (details == null) {
            throw new IOException("the cluster at " + rest.address() + " has forgotten job '" + job.name() + "'");
        }
        take(details);
        List<TaskTotals> now = subtasks.look();
        for (TaskTotals task : now) {
            int first = firstAttempts.computeIfAbsent(task.name(), name -> task.attempt());
            restarts = Math.max(restarts, task.attempt() - first);
        }
        boolean ended = hasEnded();
        long waiting = now.stream().filter(TaskTotals::waiting).count();
        waitingForSlots =
                waiting == 0 || ended || now.stream().anyMatch(TaskTotals::running) ? null : Long.valueOf(waiting);
        if (nowMs - lastMs >= MIN_SPAN_MS && (ended || isCounted(now))) {
            add(now);
            lookAtBuffers();
        }
        graphs.ask();
        return !ended;
    }

    /** True once there is something to judge. */
    public boolean hasSeenAnything() {
        return measured;
    }

    private boolean hasEnded() {
        return new FlinkJob(job.id(), job.name(), state).hasEnded();
    }

    /** Every task that runs has counted something since the last span, so Flink has refreshed its figures. */
    private boolean isCounted(List<TaskTotals> now) {
        return now.stream().anyMatch(TaskTotals::running)
                && now.stream()
                        .filter(TaskTotals::running)
                        .allMatch(task -> sinceLast(task).countedMs() > 0);
    }

    private TaskTotals sinceLast(TaskTotals task) {
        TaskTotals before = tasks.get(task.name());
        return before == null ? task : task.since(before);
    }

    private void add(List<TaskTotals> now) throws IOException, InterruptedException {
        long lengthMs = nowMs - lastMs;
        List<TaskSpan> taskSpans = new ArrayList<>();
        Map<String, TaskTotals> counted = new LinkedHashMap<>();
        double factors = 0;
        long in = 0;
        long out = 0;
        for (TaskTotals task : now) {
            TaskTotals since = sinceLast(task);
            double factor = factor(since, tasks.get(task.name()), lengthMs);
            factors += factor;
            TaskSpan span = since.over(factor, subtasks.isSource(task.operator()));
            taskSpans.add(span);
            measured |= since.countedMs() > 0;
            recordsInto.merge(task.operator(), span.recordsIn(), Long::sum);
            in += subtasks.isSource(task.operator()) ? span.recordsIn() : 0;
            out += isLast(task.operator()) ? span.recordsOut() : 0;
            counted.put(task.name(), task);
        }
        Map<String, ProcessTotals> used = processes();
        List<ProcessSpan> processSpans = new ArrayList<>();
        for (ProcessTotals process : used.values()) {
            processSpans.add(process.since(processes.get(process.name()), factors / Math.max(1, now.size())));
        }
        if (processSpans.isEmpty()) {
            throw new IOException("the cluster at " + rest.address() + " has no TaskManager");
        }
        spans.add(new Span(
                (lastMs - startMs) * NS_PER_MS,
                (nowMs - startMs) * NS_PER_MS,
                in,
                out,
                0,
                0,
                null,
                null,
                taskSpans,
                processSpans,
                null));
        wantGraphs(taskSpans, lengthMs);
        tasks = counted;
        processes = used;
        lastMs = nowMs;
    }

    private void wantGraphs(List<TaskSpan> taskSpans, long lengthMs) {
        Map<String, Long> busiest = new HashMap<>();
        taskSpans.forEach(task -> busiest.merge(task.operators().get(0), task.busyNs(), Math::max));
        plan.names().forEach((id, name) -> {
            if (busiest.getOrDefault(name, 0L) >= WORTH_SAMPLES * lengthMs * NS_PER_MS) {
                graphs.want(id);
            }
        });
    }

    /** Flink's figures are of some moment before: how much longer the span is than what was counted in it. */
    private static double factor(TaskTotals since, @Nullable TaskTotals before, long lengthMs) {
        boolean whole = before != null && before.attempt() == since.attempt();
        return !whole || since.countedMs() == 0 || !since.running()
                ? 1
                : Math.min(MOST_FACTOR, (double) lengthMs / since.countedMs());
    }

    private boolean isLast(String operator) {
        return plan.info().edges().stream().noneMatch(edge -> edge.from().equals(operator));
    }

    private Map<String, ProcessTotals> processes() throws IOException, InterruptedException {
        Set<String> used = tasks.values().stream()
                .map(TaskTotals::process)
                .filter(process -> !process.isEmpty() && !process.startsWith("("))
                .collect(Collectors.toSet());
        List<ProcessTotals> all = TaskManagers.look(rest, used);
        Map<String, ProcessTotals> byName = new LinkedHashMap<>();
        for (ProcessTotals each : all.isEmpty() ? TaskManagers.look(rest, Set.of()) : all) {
            byName.put(each.name(), each);
            Long requested = each.networkRequested();
            if (requested != null) {
                networkRequested =
                        networkRequested == null ? requested : Long.valueOf(Math.max(networkRequested, requested));
            }
        }
        return byName;
    }

    /**
     * What was observed so far.
     *
     * @throws IOException if that was nothing, or the cluster does not answer; the message is one line
     */
    public Observation observation() throws IOException, InterruptedException {
        return observation(0, 0);
    }

    /**
     * The same of a job that counts what Flink knows nothing of; it is told of the last span.
     *
     * @param recordsBad bad records since the first look
     * @param recordsLate late records since then
     * @throws IOException if nothing was observed, or the cluster does not answer; the message is one line
     */
    public Observation observation(long recordsBad, long recordsLate) throws IOException, InterruptedException {
        FlinkFailures failures = FlinkFailures.of(rest, job.path());
        boolean failed = state.equals("FAILED");
        long since = failures.since(beganMs) - (failed ? 1 : 0);
        int times = (int) Math.max(restarts, since);
        if (times == 0 && !hasEnded() && !state.equals("RUNNING")) {
            times = (int) failures.since(nowMs - RECENT_MS);
        }
        if (spans.all().isEmpty() && (times > 0 || failed || waitingForSlots != null) && nowMs > lastMs) {
            add(subtasks.look());
        }
        if (spans.all().isEmpty()) {
            throw new IOException("Flink has refreshed no figures of job '" + job.name() + "' in "
                    + (nowMs - beganMs) / 1_000
                    + " s; it does so every metrics.fetcher.update-interval, 10 s by default: observe it for longer");
        }
        Checkpoints checkpoints =
                Checkpoints.of(rest, job.path(), job.name(), plan.names().keySet());
        return new Observation(
                Observation.VERSION,
                jobState(),
                plan.info(),
                counted(spans.all(), recordsBad, recordsLate),
                List.of(),
                edges(),
                checkpoints.complete(),
                null,
                LatencyStats.NONE,
                new Restarts(times, times == 0 ? null : failures.newest()),
                failed ? failures.newest() : null,
                checkpoints.failed(),
                null,
                null,
                details(checkpoints.writesMs()),
                null);
    }

    private static List<Span> counted(List<Span> all, long recordsBad, long recordsLate) {
        List<Span> spans = new ArrayList<>(all);
        Span last = spans.remove(spans.size() - 1);
        spans.add(new Span(
                last.fromNs(),
                last.toNs(),
                last.recordsIn(),
                last.recordsOut(),
                recordsBad,
                recordsLate,
                last.windowsOpen(),
                last.pendingAcks(),
                last.tasks(),
                last.processes(),
                last.ages()));
        return spans;
    }

    private FlinkDetails details(@Nullable Double checkpointWritesMs) {
        List<FlinkVertex> vertices = new ArrayList<>();
        buffers.forEach((id, each) -> vertices.add(each.seen(plan.names().getOrDefault(id, id), graphs.of(id))));
        return new FlinkDetails(
                settings.objectReuse(),
                settings.stateBackend(),
                settings.bufferTimeoutMs(),
                settings.bufferDebloat(),
                graphs.enabled(),
                networkRequested,
                waitingForSlots,
                checkpointWritesMs,
                vertices);
    }

    private JobState jobState() {
        return switch (state) {
            case "FINISHED" -> JobState.FINISHED;
            case "FAILED" -> JobState.FAILED;
            case "CANCELED", "CANCELLING", "SUSPENDED" -> JobState.CANCELLED;
            default -> JobState.RUNNING;
        };
    }

    /** Records of an edge are known if it is the only one into its vertex. */
    private List<EdgeTotals> edges() {
        List<EdgeTotals> totals = new ArrayList<>();
        for (PlanInfo.Edge edge : plan.info().edges()) {
            boolean only = plan.info().edges().stream()
                            .filter(each -> each.to().equals(edge.to()))
                            .count()
                    == 1;
            totals.add(new EdgeTotals(edge.from(), edge.to(), only ? recordsInto.get(edge.to()) : null, null, null));
        }
        return totals;
    }
}
