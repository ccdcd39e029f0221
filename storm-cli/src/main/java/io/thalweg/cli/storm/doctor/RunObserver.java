// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm.doctor;

import io.thalweg.api.stats.AckStats;
import io.thalweg.api.stats.AlignmentStats;
import io.thalweg.api.stats.InputStats;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.LatencyHistogram;
import io.thalweg.api.stats.LatencyStats;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.api.stats.TaskStats;
import io.thalweg.doctor.embedded.JobObserver;
import io.thalweg.doctor.observation.EdgeTotals;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.OneLine;
import io.thalweg.doctor.observation.OperatorProfile;
import io.thalweg.doctor.observation.Span;
import io.thalweg.doctor.observation.StormBolt;
import io.thalweg.doctor.observation.StormError;
import io.thalweg.doctor.observation.StormTopology;
import io.thalweg.doctor.observation.StormWorker;
import io.thalweg.doctor.observation.TaskSpan;
import io.thalweg.run.Clock;
import io.thalweg.stormdoor.StormRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.Config;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Makes an observation of a topology that runs in this process, looked at about once a second: what its executors counted, and how
 * busy the engine found their tasks. Components have their own names, and a task of the observation is an executor. Not thread-safe.
 */
public final class RunObserver {
    private static final String HERE = "this process";
    private static final double NS_PER_MS = 1e6;
    private static final long MS_PER_SECOND = 1_000;

    /** Of Storm's settings, those that change something here. */
    private static final Set<String> SETTINGS = Set.of(
            Config.TOPOLOGY_MAX_SPOUT_PENDING,
            Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS,
            Config.TOPOLOGY_ACKER_EXECUTORS,
            Config.TOPOLOGY_PRODUCER_BATCH_SIZE,
            Config.TOPOLOGY_DEBUG,
            Config.TOPOLOGY_STATS_SAMPLE_RATE);

    private final StormRun run;
    private final Clock clock;
    private final PlanInfo plan;
    private final Set<String> shells;
    private final Set<String> inLoops;
    private final JobObserver observer = new JobObserver();
    private TopologyInfo info;
    private Map<String, ExecutorTotals> executors;
    private JobState state = JobState.RUNNING;

    /**
     * Observes a topology from its start on.
     *
     * @param topology as it was submitted
     * @param conf with which it was submitted
     * @throws IOException if it is too large to be looked at; the message is one line
     */
    public RunObserver(
            StormRun run, org.apache.storm.generated.StormTopology topology, Map<String, Object> conf, Clock clock)
            throws IOException {
        this.run = run;
        this.clock = clock;
        info = run.info();
        executors = executors(info);
        shells = TopologyPlan.shells(topology);
        JobStats stats = run.job().stats();
        Map<String, Integer> parallelism = new HashMap<>();
        executors.values().forEach(each -> parallelism.merge(each.component(), 1, Integer::sum));
        PlanInfo made = TopologyPlan.of(info.get_name(), StormTopology.HERE, 1, topology, parallelism, settings(conf));
        plan = new PlanInfo(
                made.topology(),
                made.runner(),
                stats.plan().workers(),
                made.operators(),
                made.chains().stream()
                        .map(chain -> new PlanInfo.Chain(
                                chain.number(),
                                chain.operators(),
                                chain.parallelism(),
                                runsAs(stats.plan(), chain.operators().get(0))))
                        .toList(),
                made.edges(),
                made.options());
        inLoops = inLoops(made.edges());
    }

    /** Those with which Storm's defaults are completed. */
    private static Map<String, Object> settings(Map<String, Object> conf) {
        Map<String, Object> all = new HashMap<>(Utils.readStormConfig());
        all.putAll(conf);
        all.keySet().retainAll(SETTINGS);
        if (Boolean.FALSE.equals(conf.get(Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS))) {
            all.remove(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS);
        }
        return all;
    }

    /** What the engine says of the tasks of a component. */
    private static String runsAs(PlanInfo engine, String component) {
        return engine.chains().stream()
                .filter(chain -> chain.operators().contains(component))
                .map(PlanInfo.Chain::runsAs)
                .findFirst()
                .orElse("");
    }

    /** Components that get what comes of their own tuples: another thread than the engine's calls them too. */
    private static Set<String> inLoops(Collection<PlanInfo.Edge> edges) {
        Set<String> all = new HashSet<>();
        for (PlanInfo.Edge from : edges) {
            Set<String> reached = new HashSet<>();
            List<String> next = new ArrayList<>(List.of(from.to()));
            while (!next.isEmpty()) {
                String at = next.remove(next.size() - 1);
                if (reached.add(at)) {
                    edges.stream().filter(edge -> edge.from().equals(at)).forEach(edge -> next.add(edge.to()));
                }
            }
            if (reached.contains(from.from())) {
                all.add(from.from());
            }
        }
        return all;
    }

    /** Takes what was measured until now. */
    public void look() {
        JobStats stats = run.job().stats();
        info = run.info();
        executors = executors(info);
        state = stats.state();
        observer.look(told(stats), 0, null, null);
    }

    /** By their names. */
    private static Map<String, ExecutorTotals> executors(TopologyInfo info) {
        Map<String, Integer> indexes = new HashMap<>();
        Map<String, ExecutorTotals> executors = new LinkedHashMap<>();
        for (ExecutorSummary each : info.get_executors()) {
            each.set_uptime_secs(Math.max(1, each.get_uptime_secs())); // it counts from its first moment on
            ExecutorTotals totals =
                    ExecutorTotals.of(each, indexes.merge(each.get_component_id(), 1, Integer::sum) - 1);
            executors.put(totals.name(), totals);
        }
        return executors;
    }

    /** The figures of a job of Thalweg, with executors in place of its tasks. */
    private JobStats told(JobStats stats) {
        List<TaskStats> tasks = new ArrayList<>();
        long in = 0;
        long out = 0;
        for (TaskStats task : stats.tasks()) {
            for (String operator : task.operators()) {
                ExecutorTotals its = executors.get(operator + "[" + task.index() + "]");
                if (its != null) {
                    tasks.add(told(task, its));
                    in += isSpout(operator) ? its.in() : 0;
                    out += isLast(operator) ? its.in() : 0;
                    break;
                }
            }
        }
        return new JobStats(
                stats.topology(),
                stats.state(),
                stats.elapsedNs(),
                in,
                out,
                0,
                0,
                0,
                List.of(),
                LatencyStats.NONE,
                LatencyHistogram.NONE,
                new AckStats(run.pending(), 0, 0, 0, 0, LatencyStats.NONE),
                stats.process(),
                tasks,
                List.of(),
                plan);
    }

    private TaskStats told(TaskStats task, ExecutorTotals its) {
        boolean spout = isSpout(its.component());
        long busyNs = task.busyNs();
        if (spout) {
            busyNs = 0; // one that waits within nextTuple looks like one that computes
        } else if (inLoops.contains(its.component())) {
            busyNs = Math.max(busyNs, Math.round(its.busyMs() * NS_PER_MS));
        }
        return new TaskStats(
                its.name(),
                List.of(its.component()),
                its.index(),
                its.in(),
                its.out(),
                0,
                0,
                busyNs,
                spout ? 0 : task.waitingNs(),
                task.heldBackNs(),
                task.queueDepth(),
                task.longestCallNs(),
                task.slowCalls(),
                AlignmentStats.NONE,
                List.of(),
                InputStats.NONE,
                List.of(),
                List.of(),
                task.batchesIn(),
                0,
                List.of());
    }

    private boolean isSpout(String component) {
        return plan.operators().stream()
                .anyMatch(each -> each.name().equals(component) && each.kind().equals("source"));
    }

    private boolean isLast(String component) {
        return plan.edges().stream().noneMatch(edge -> edge.from().equals(component));
    }

    /** True once there is something to judge. */
    public boolean hasSeenAnything() {
        return observer.hasSeenAnything();
    }

    /**
     * What was observed so far.
     *
     * @param failure that ended the topology, in one line; null if none did
     * @param samples of its components; none of a component that it has not
     * @throws IllegalStateException if nothing was seen, because it ended at once
     */
    public Observation observation(@Nullable String failure, List<OperatorProfile> samples) {
        Observation seen = observer.observation(failure == null ? state : JobState.FAILED, List.of(), failure);
        return new Observation(
                seen.version(),
                seen.state(),
                seen.plan(),
                seen.spans().stream().map(RunObserver::told).toList(),
                samples,
                edges(),
                List.of(),
                null,
                LatencyStats.NONE,
                seen.restarts(),
                seen.failure(),
                null,
                null,
                storm(),
                null,
                null);
    }

    /** Without what nobody tells of executors. */
    private static Span told(Span span) {
        return new Span(
                span.fromNs(),
                span.toNs(),
                span.recordsIn(),
                span.recordsOut(),
                0,
                0,
                null,
                span.pendingAcks(),
                span.tasks().stream().map(RunObserver::told).toList(),
                span.processes(),
                null);
    }

    private static TaskSpan told(TaskSpan task) {
        return new TaskSpan(
                task.task(),
                task.operators(),
                task.index(),
                task.process(),
                task.recordsIn(),
                task.recordsOut(),
                null,
                0,
                0,
                task.busyNs(),
                task.waitingNs(),
                task.heldBackNs(),
                task.queueDepth(),
                task.longestCallNs(),
                task.slowCalls(),
                null,
                null,
                null,
                null,
                null,
                null);
    }

    private List<EdgeTotals> edges() {
        return plan.edges().stream()
                .map(edge -> new EdgeTotals(edge.from(), edge.to(), along(edge), null, null))
                .distinct()
                .toList();
    }

    private long along(PlanInfo.Edge edge) {
        return executors.values().stream()
                .filter(each -> each.component().equals(edge.to()))
                .mapToLong(each -> each.from().getOrDefault(edge.from(), 0L))
                .sum();
    }

    private StormTopology storm() {
        Tracked tracked = new Tracked();
        executors.values().forEach(each -> tracked.add(each, 1, 1, isSpout(each.component())));
        StormWorker worker = new StormWorker(
                info.get_executors().get(0).get_host(),
                info.get_executors().get(0).get_port(),
                info.get_executors_size(),
                info.get_uptime_secs());
        List<StormBolt> bolts = tracked.bolts(shells);
        return new StormTopology(
                info.get_status(),
                List.of(worker),
                0,
                null,
                info.get_executors().stream()
                        .filter(each -> isSpout(each.get_component_id()))
                        .map(ExecutorSummary::get_executor_info)
                        .mapToInt(RunObserver::tasks)
                        .sum(),
                tracked.acked(),
                tracked.failed(),
                tracked.completeMs(),
                bolts,
                0,
                0,
                errors());
    }

    private static int tasks(ExecutorInfo executor) {
        return executor.get_task_end() - executor.get_task_start() + 1;
    }

    private List<StormError> errors() {
        long nowSeconds = clock.epochMs() / MS_PER_SECOND;
        List<StormError> errors = new ArrayList<>();
        info.get_errors()
                .forEach((component, all) -> all.forEach(error -> errors.add(new StormError(
                        component,
                        HERE,
                        Math.max(0, nowSeconds - error.get_error_time_secs()),
                        OneLine.cause(error.get_error())))));
        errors.sort(Comparator.comparingLong(StormError::secondsAgo));
        return errors;
    }
}
