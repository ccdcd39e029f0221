// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm.doctor;

import io.thalweg.api.connector.Suggestion;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.LatencyStats;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.doctor.observation.EdgeTotals;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.OneLine;
import io.thalweg.doctor.observation.Restarts;
import io.thalweg.doctor.observation.Span;
import io.thalweg.doctor.observation.Spans;
import io.thalweg.doctor.observation.StormError;
import io.thalweg.doctor.observation.StormTopology;
import io.thalweg.doctor.observation.TaskSpan;
import io.thalweg.run.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GetInfoOptions;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.NumErrorsChoice;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.thrift.TException;
import org.jspecify.annotations.Nullable;

/**
 * Makes an observation of a topology of a cluster of Storm, looked at again and again through Nimbus. It changes nothing there. Not
 * thread-safe.
 */
public final class TopologyObserver {
    /**
     * How often workers tell Nimbus what their executors have counted. They take it from the settings of their machine;
     * what a topology says of it has no effect, but is what Nimbus tells.
     */
    static final String FREQUENCY = "executor.metrics.frequency.secs";

    private static final long DEFAULT_FREQUENCY = 60;

    /** A worker tells its age in whole seconds: of a shorter time, that would be too rough. */
    private static final long MIN_SPAN_SECONDS = 10;

    private static final int MOST_EXECUTORS = 5_000;
    private static final int SHOWN_NAMES = 10;
    private static final int MOST_ERRORS = 50;
    private static final double MOST_FACTOR = 20;
    private static final long NS_PER_SECOND = 1_000_000_000;

    private final String where;
    private final Clock clock;
    private final String id;
    private final String name;
    private final PlanInfo plan;
    private final Set<String> shells;
    private final long frequency;
    private final int spoutTasks;
    private final Spans spans = new Spans();
    private final Tracked tracked = new Tracked();
    private final Map<PlanInfo.Edge, Long> recordsAlong = new HashMap<>();
    private final long beganNs;
    private final long aheadSeconds;
    private long spannedSeconds;
    private Map<String, ExecutorTotals> spanned;
    private Map<String, ExecutorTotals> seen;
    private int restarts;
    private @Nullable String restarted;
    private String status;
    private @Nullable String scheduling;

    /**
     * Looks at a topology for the first time.
     *
     * @param where its Nimbus is, for messages
     * @param wanted its name or id; empty if none was given
     * @throws IOException if there is no such topology, or it cannot be looked at; the message is one line
     */
    public TopologyObserver(Nimbus.Iface nimbus, String where, String wanted, Clock clock)
            throws IOException, TException {
        this.where = where;
        this.clock = clock;
        TopologySummary found = find(nimbus, where, wanted);
        id = found.get_id();
        name = OneLine.of(found.get_name());
        TopologyInfo info = info(nimbus, NumErrorsChoice.NONE);
        status = info.get_status();
        seen = executors(info);
        spanned = seen;
        Map<String, Integer> executors = new HashMap<>();
        info.get_executors().forEach(each -> executors.merge(each.get_component_id(), 1, Integer::sum));
        Map<?, ?> settings = JSONValue.parse(nimbus.getTopologyConf(id)) instanceof Map<?, ?> map ? map : Map.of();
        frequency = settings.get(FREQUENCY) instanceof Number seconds
                ? Math.max(seconds.longValue(), DEFAULT_FREQUENCY)
                : DEFAULT_FREQUENCY;
        org.apache.storm.generated.StormTopology topology = nimbus.getUserTopology(id);
        shells = TopologyPlan.shells(topology);
        plan = TopologyPlan.of(
                name,
                "Storm" + (info.is_set_storm_version() ? " " + OneLine.of(info.get_storm_version()) : ""),
                Math.max(1, Workers.of(seen.values()).size()),
                topology,
                executors,
                settings);
        spoutTasks = info.get_executors().stream()
                .filter(each -> isSource(each.get_component_id()))
                .mapToInt(each -> each.get_executor_info().get_task_end()
                        - each.get_executor_info().get_task_start()
                        + 1)
                .sum();
        beganNs = clock.nowNs();
        aheadSeconds =
                seen.values().stream().mapToLong(ExecutorTotals::uptime).max().orElse(0);
    }

    private static TopologySummary find(Nimbus.Iface nimbus, String where, String wanted)
            throws IOException, TException {
        List<TopologySummary> all = nimbus.getClusterInfo().get_topologies().stream()
                .sorted(Comparator.comparing(TopologySummary::get_name))
                .toList();
        for (TopologySummary each : all) {
            if (each.get_name().equals(wanted) || each.get_id().equals(wanted)) {
                return each;
            }
        }
        if (wanted.isEmpty() && all.size() == 1) {
            return all.get(0);
        }
        if (wanted.isEmpty()) {
            throw new IOException(
                    all.isEmpty()
                            ? "there is no topology at " + where
                            : "say which topology as storm=" + where + "/TOPOLOGY: there are " + told(all));
        }
        String nearest = Suggestion.of(
                wanted, all.stream().map(TopologySummary::get_name).toList());
        throw new IOException("there is no topology '" + wanted + "' at " + where
                + (all.isEmpty() ? ", nor any other" : nearest.isEmpty() ? "; there are " + told(all) : nearest));
    }

    private static String told(List<TopologySummary> all) {
        return all.stream()
                        .limit(SHOWN_NAMES)
                        .map(each -> OneLine.of(each.get_name()) + " ("
                                + each.get_status().toLowerCase(Locale.ROOT) + ")")
                        .collect(Collectors.joining(", "))
                + (all.size() > SHOWN_NAMES ? " and " + (all.size() - SHOWN_NAMES) + " more" : "");
    }

    private TopologyInfo info(Nimbus.Iface nimbus, NumErrorsChoice errors) throws IOException, TException {
        GetInfoOptions options = new GetInfoOptions();
        options.set_num_err_choice(errors);
        TopologyInfo info = nimbus.getTopologyInfoWithOpts(id, options);
        if (info.get_executors().size() > MOST_EXECUTORS) {
            throw new IOException("topology '" + name + "' has more than " + MOST_EXECUTORS
                    + " executors, and no more can be looked at");
        }
        return info;
    }

    /** By their names; those of Storm's own components, too. */
    private static Map<String, ExecutorTotals> executors(TopologyInfo info) {
        Map<String, Integer> indexes = new HashMap<>();
        Map<String, ExecutorTotals> executors = new LinkedHashMap<>();
        info.get_executors().stream()
                .sorted(Comparator.comparing(ExecutorSummary::get_component_id)
                        .thenComparingInt(each -> each.get_executor_info().get_task_start()))
                .forEach(each -> {
                    int index = indexes.merge(each.get_component_id(), 1, Integer::sum) - 1;
                    ExecutorTotals totals = ExecutorTotals.of(each, index);
                    executors.put(totals.name(), totals);
                });
        return executors;
    }

    /** Of the topology. */
    public String name() {
        return name;
    }

    /** For how long to watch so that two reports of each worker come. */
    public Duration twoReports() {
        return Duration.ofSeconds(2 * frequency + MIN_SPAN_SECONDS);
    }

    /**
     * Takes what was counted until now.
     *
     * @return false if the topology was killed
     */
    public boolean look(Nimbus.Iface nimbus) throws IOException, TException {
        TopologyInfo info;
        try {
            info = info(nimbus, NumErrorsChoice.NONE);
        } catch (NotAliveException e) {
            status = "KILLED";
            return false;
        }
        take(info);
        return !status.equals("KILLED");
    }

    private void take(TopologyInfo info) {
        boolean moved = status.equals("REBALANCING") || info.get_status().equals("REBALANCING");
        status = info.get_status();
        scheduling = info.is_set_sched_status() ? OneLine.of(info.get_sched_status()) : null;
        Map<String, ExecutorTotals> now = executors(info);
        if (!moved && now.keySet().equals(seen.keySet())) {
            countRestarts(now);
        }
        seen = now;
        if (isCounted(now)) {
            add(now);
        }
    }

    private void countRestarts(Map<String, ExecutorTotals> now) {
        Set<String> workers = new HashSet<>();
        now.forEach((executor, totals) -> {
            ExecutorTotals before = seen.get(executor);
            if (before != null && before.hasTold() && totals.wasRestartedAfter(before)) {
                workers.add(before.worker());
                restarted = before.worker();
            }
        });
        restarts += workers.size();
    }

    /** Every executor that runs has told something since the last span, of a time that is long enough. */
    private boolean isCounted(Map<String, ExecutorTotals> now) {
        boolean any = false;
        for (ExecutorTotals each : now.values()) {
            ExecutorTotals since = sinceSpan(each);
            boolean longEnough = since.uptime() >= MIN_SPAN_SECONDS;
            boolean young = each.uptime() < MIN_SPAN_SECONDS;
            any |= longEnough;
            if (each.hasTold() && !young && !longEnough) {
                return false;
            }
        }
        return any;
    }

    private ExecutorTotals sinceSpan(ExecutorTotals now) {
        ExecutorTotals before = spanned.get(now.name());
        return before == null ? now : now.since(before);
    }

    private void add(Map<String, ExecutorTotals> now) {
        Map<String, ExecutorTotals> since = new LinkedHashMap<>();
        now.forEach((executor, totals) -> since.put(executor, sinceSpan(totals)));
        long length = Math.max(
                1,
                since.values().stream().mapToLong(ExecutorTotals::uptime).max().orElse(0));
        addSpan(since, length);
        spanned = now;
    }

    private void addSpan(Map<String, ExecutorTotals> since, long lengthSeconds) {
        List<TaskSpan> tasks = new ArrayList<>();
        long in = 0;
        long out = 0;
        for (ExecutorTotals each : since.values()) {
            double factor = Math.min(MOST_FACTOR, (double) lengthSeconds / Math.max(1, each.uptime()));
            tracked.add(each, factor, lengthSeconds, isSource(each.component()));
            if (ExecutorTotals.isSystem(each.component())) {
                continue;
            }
            TaskSpan task = each.over(factor, isSource(each.component()));
            tasks.add(task);
            in += isSource(each.component()) ? task.recordsIn() : 0;
            out += isLast(each.component()) ? task.recordsIn() : 0;
            for (PlanInfo.Edge edge : plan.edges()) {
                if (edge.to().equals(each.component())) {
                    recordsAlong.merge(edge, Math.round(each.from().getOrDefault(edge.from(), 0L) * factor), Long::sum);
                }
            }
        }
        long from = (aheadSeconds + spannedSeconds) * NS_PER_SECOND;
        spannedSeconds += lengthSeconds;
        spans.add(new Span(
                from,
                from + lengthSeconds * NS_PER_SECOND,
                in,
                out,
                0,
                0,
                null,
                tracked.pending(lengthSeconds),
                tasks,
                List.of(),
                null));
    }

    private boolean isSource(String component) {
        return plan.operators().stream()
                .anyMatch(each -> each.name().equals(component) && each.kind().equals("source"));
    }

    private boolean isLast(String component) {
        return plan.edges().stream().noneMatch(edge -> edge.from().equals(component));
    }

    /** True once there is something to judge. */
    public boolean hasSeenAnything() {
        return !spans.all().isEmpty();
    }

    /**
     * What was observed so far.
     *
     * @throws IOException if that was nothing; the message is one line
     */
    public Observation observation(Nimbus.Iface nimbus) throws IOException, TException {
        List<StormError> errors = List.of();
        try {
            TopologyInfo info = info(nimbus, NumErrorsChoice.ALL);
            take(info);
            errors = errors(info);
        } catch (NotAliveException e) {
            status = "KILLED";
        }
        long watchedSeconds = (clock.nowNs() - beganNs) / NS_PER_SECOND;
        int silent =
                (int) seen.values().stream().filter(each -> !each.hasTold()).count();
        if (spans.all().isEmpty() && (restarts > 0 || silent > 0 || status.equals("INACTIVE"))) {
            addSpan(Map.copyOf(silenced()), Math.max(1, watchedSeconds));
        }
        if (spans.all().isEmpty()) {
            throw new IOException(
                    status.equals("KILLED")
                            ? "topology '" + name + "' at " + where + " was killed before anything was seen of it"
                            : "the workers of topology '" + name + "' have told Nimbus nothing new in " + watchedSeconds
                                    + " s; they do so every " + FREQUENCY + ", " + frequency
                                    + " s by default: observe it for longer, with --for");
        }
        return new Observation(
                Observation.VERSION,
                status.equals("KILLED") ? JobState.CANCELLED : JobState.RUNNING,
                plan,
                spans.all(),
                List.of(),
                edges(),
                List.of(),
                null,
                LatencyStats.NONE,
                new Restarts(restarts, restarts == 0 ? null : cause(errors)),
                null,
                null,
                null,
                new StormTopology(
                        status,
                        Workers.of(seen.values()),
                        silent,
                        scheduling,
                        spoutTasks,
                        tracked.acked(),
                        tracked.failed(),
                        tracked.completeMs(),
                        tracked.bolts(shells),
                        (int) seen.values().stream()
                                .filter(each -> each.component().equals(Tracked.ACKER))
                                .count(),
                        tracked.busiestAcker(spannedSeconds),
                        errors),
                null,
                null);
    }

    /** As if no executor had told anything, which is about right if none has run for long. */
    private Map<String, ExecutorTotals> silenced() {
        Map<String, ExecutorTotals> silenced = new LinkedHashMap<>();
        seen.forEach((executor, each) -> silenced.put(
                executor,
                new ExecutorTotals(each.component(), each.index(), each.worker(), 0, 0, 0, 0, 0, 0, 0, Map.of())));
        return silenced;
    }

    private List<EdgeTotals> edges() {
        return plan.edges().stream()
                .map(edge -> new EdgeTotals(edge.from(), edge.to(), recordsAlong.getOrDefault(edge, 0L), null, null))
                .distinct()
                .toList();
    }

    private List<StormError> errors(TopologyInfo info) {
        long nowSeconds = clock.epochMs() / 1_000;
        List<StormError> errors = new ArrayList<>();
        info.get_errors()
                .forEach((component, all) -> all.forEach(error -> errors.add(new StormError(
                        component,
                        error.is_set_host() ? OneLine.of(error.get_host()) + ":" + error.get_port() : "?",
                        Math.max(0, nowSeconds - error.get_error_time_secs()),
                        OneLine.cause(error.get_error())))));
        return errors.stream()
                .sorted(Comparator.comparingLong(StormError::secondsAgo))
                .limit(MOST_ERRORS)
                .toList();
    }

    private String cause(List<StormError> errors) {
        long watchedSeconds = (clock.nowNs() - beganNs) / NS_PER_SECOND;
        return errors.stream()
                .filter(error -> error.secondsAgo() <= watchedSeconds + frequency)
                .findFirst()
                .map(error -> "'" + error.component() + "' in " + error.worker() + ": " + error.text())
                .orElse("worker " + restarted
                        + " ended and reported no error: look for OutOfMemoryError in its worker.log,"
                        + " and whether the kernel or the supervisor killed it");
    }
}
