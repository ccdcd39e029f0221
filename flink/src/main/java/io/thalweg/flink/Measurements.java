// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.stats.AckStats;
import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.LatencyHistogram;
import io.thalweg.api.stats.LatencyStats;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.api.stats.ProcessStats;
import io.thalweg.api.stats.TaskStats;
import io.thalweg.run.BadReasons;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobID;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.runtime.checkpoint.CheckpointFailureReason;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.runtime.jobgraph.JobVertexID;
import org.apache.flink.runtime.rest.messages.EmptyMessageParameters;
import org.apache.flink.runtime.rest.messages.EmptyRequestBody;
import org.apache.flink.runtime.rest.messages.JobMessageParameters;
import org.apache.flink.runtime.rest.messages.JobVertexDetailsHeaders;
import org.apache.flink.runtime.rest.messages.JobVertexMessageParameters;
import org.apache.flink.runtime.rest.messages.MessagePathParameter;
import org.apache.flink.runtime.rest.messages.checkpoints.CheckpointIdPathParameter;
import org.apache.flink.runtime.rest.messages.checkpoints.CheckpointMessageParameters;
import org.apache.flink.runtime.rest.messages.checkpoints.CheckpointStatisticDetailsHeaders;
import org.apache.flink.runtime.rest.messages.checkpoints.CheckpointStatistics;
import org.apache.flink.runtime.rest.messages.checkpoints.CheckpointingStatistics;
import org.apache.flink.runtime.rest.messages.checkpoints.CheckpointingStatisticsHeaders;
import org.apache.flink.runtime.rest.messages.checkpoints.TaskCheckpointStatistics;
import org.apache.flink.runtime.rest.messages.job.JobDetailsInfo;
import org.apache.flink.runtime.rest.messages.job.SubtaskExecutionAttemptDetailsInfo;
import org.apache.flink.runtime.rest.messages.job.metrics.IOMetricsInfo;
import org.apache.flink.runtime.rest.messages.job.metrics.Metric;
import org.apache.flink.runtime.rest.messages.job.metrics.TaskManagerMetricsHeaders;
import org.apache.flink.runtime.rest.messages.job.metrics.TaskManagerMetricsMessageParameters;
import org.apache.flink.runtime.rest.messages.taskmanager.TaskManagerInfo;
import org.apache.flink.runtime.rest.messages.taskmanager.TaskManagersHeaders;
import org.apache.flink.util.clock.SystemClock;
import org.jspecify.annotations.Nullable;

/** Makes {@code JobStats} from Flink's REST API. */
final class Measurements {
    private static final String CPU = "Status.JVM.CPU.Time";
    private static final String HEAP = "Status.JVM.Memory.Heap.Used";
    private static final String GC_COUNT = "Status.JVM.GarbageCollector.All.Count";
    private static final String GC_MS = "Status.JVM.GarbageCollector.All.Time";
    private static final String THREADS = "Status.JVM.Threads.Count";
    private static final long NS_PER_MS = 1_000_000;

    private final PlanInfo plan;
    private final RestClusterClient<String> client;
    private final JobID id;
    private final boolean checkpoints;
    private final Map<JobVertexID, List<String>> operators = new LinkedHashMap<>();
    private final long beganNs = SystemClock.getInstance().relativeTimeNanos();
    private final Consumer<String> warnings;
    private volatile @Nullable CheckpointStats lastCheckpoint;
    private long lastGivenUp;

    Measurements(PlanInfo plan, RestClusterClient<String> client, JobGraph job, Consumer<String> warnings) {
        this.plan = plan;
        this.client = client;
        id = job.getJobID();
        checkpoints = job.isCheckpointingEnabled();
        this.warnings = warnings;
        for (JobVertex vertex : job.getVerticesSortedTopologicallyFromSources()) {
            operators.put(vertex.getID(), Translation.operators(vertex));
        }
    }

    String topology() {
        return plan.topology();
    }

    @Nullable CheckpointStats lastCheckpoint() {
        return lastCheckpoint;
    }

    /** The stats before anything was measured. */
    JobStats none() {
        return stats(JobState.RUNNING, null, new ProcessStats(0, 0, 0, 0, 0), List.of());
    }

    /** True if the REST API shows that the job has ended, or does not know it any more. */
    boolean areFinal() throws InterruptedException {
        try {
            return Answer.of(client.getJobDetails(id)).getJobStatus().isGloballyTerminalState();
        } catch (ExecutionException e) {
            return true;
        }
    }

    /** @param before the last stats, which are kept if Flink does not answer */
    JobStats take(JobState state, ReportCollector reports, JobStats before) throws InterruptedException {
        List<TaskStats> tasks = before.tasks();
        ProcessStats process = before.process();
        try {
            JobDetailsInfo details = Answer.of(client.getJobDetails(id));
            tasks = tasks(details, reports);
            process = process();
            if (checkpoints) {
                checkpoint(state == JobState.FINISHED);
            }
        } catch (ExecutionException e) {
            // the last stats are kept
        }
        return stats(state, reports, process, tasks);
    }

    private JobStats stats(
            JobState state, @Nullable ReportCollector reports, ProcessStats process, List<TaskStats> tasks) {
        long elapsedNs = SystemClock.getInstance().relativeTimeNanos() - beganNs;
        return new JobStats(
                plan.topology(),
                state,
                elapsedNs,
                reports == null ? 0 : reports.recordsIn(),
                reports == null ? 0 : reports.recordsOut(),
                reports == null ? 0 : reports.recordsBad(),
                reports == null ? 0 : reports.recordsLate(),
                0,
                reports == null ? List.of() : reports.reasons().most(BadReasons.MOST_TOLD),
                LatencyStats.NONE,
                LatencyHistogram.NONE,
                AckStats.NONE,
                process,
                tasks,
                List.of(),
                plan);
    }

    private List<TaskStats> tasks(JobDetailsInfo details, ReportCollector reports)
            throws ExecutionException, InterruptedException {
        List<TaskStats> tasks = new ArrayList<>();
        for (JobDetailsInfo.JobVertexDetailsInfo vertex : details.getJobVertexInfos()) {
            JobVertexMessageParameters which =
                    JobVertexDetailsHeaders.getInstance().getUnresolvedMessageParameters();
            which.jobPathParameter.resolve(id);
            which.jobVertexIdPathParameter.resolve(vertex.getJobVertexID());
            List<String> fused = operators.getOrDefault(vertex.getJobVertexID(), List.of(vertex.getName()));
            for (SubtaskExecutionAttemptDetailsInfo subtask : Answer.of(client.sendRequest(
                            JobVertexDetailsHeaders.getInstance(), which, EmptyRequestBody.getInstance()))
                    .getSubtasks()) {
                tasks.add(task(fused, subtask, reports));
            }
        }
        return tasks;
    }

    private static TaskStats task(
            List<String> operators, SubtaskExecutionAttemptDetailsInfo subtask, ReportCollector reports) {
        IOMetricsInfo io = subtask.getIoMetricsInfo();
        int index = subtask.getSubtaskIndex();
        return new TaskStats(
                String.join("+", operators) + "[" + index + "]",
                operators,
                index,
                io.getRecordsRead(),
                io.getRecordsWritten() + reports.recordsOut(operators, index),
                reports.recordsBad(operators, index),
                reports.recordsLate(operators, index),
                Double.isNaN(io.getAccumulatedBusy()) ? 0 : (long) (io.getAccumulatedBusy() * NS_PER_MS),
                io.getAccumulatedIdle() * NS_PER_MS,
                io.getAccumulatedBackpressured() * NS_PER_MS,
                0,
                0,
                0,
                reports.alignment(operators, index),
                reports.connections(operators, index),
                reports.input(operators, index),
                List.of(),
                List.of(),
                0,
                0,
                reports.late(operators, index));
    }

    /** The resources of all TaskManagers of the cluster together. */
    private ProcessStats process() throws ExecutionException, InterruptedException {
        Collection<TaskManagerInfo> managers = Answer.of(client.sendRequest(
                        TaskManagersHeaders.getInstance(),
                        EmptyMessageParameters.getInstance(),
                        EmptyRequestBody.getInstance()))
                .getTaskManagerInfos();
        Map<String, Long> sums = new HashMap<>();
        for (TaskManagerInfo manager : managers) {
            TaskManagerMetricsMessageParameters which =
                    TaskManagerMetricsHeaders.getInstance().getUnresolvedMessageParameters();
            which.taskManagerIdParameter.resolve(manager.getResourceId());
            which.metricsFilterParameter.resolve(List.of(CPU, HEAP, GC_COUNT, GC_MS, THREADS));
            for (Metric metric : Answer.of(client.sendRequest(
                            TaskManagerMetricsHeaders.getInstance(), which, EmptyRequestBody.getInstance()))
                    .getMetrics()) {
                String value = metric.getValue();
                if (value != null && value.matches("-?[0-9]+")) {
                    sums.merge(metric.getId(), Long.parseLong(value), Long::sum);
                }
            }
        }
        return new ProcessStats(
                sums.getOrDefault(CPU, 0L),
                sums.getOrDefault(HEAP, 0L),
                sums.getOrDefault(GC_COUNT, 0L),
                sums.getOrDefault(GC_MS, 0L),
                sums.getOrDefault(THREADS, 0L).intValue());
    }

    private void checkpoint(boolean last) throws ExecutionException, InterruptedException {
        JobMessageParameters which =
                CheckpointingStatisticsHeaders.getInstance().getUnresolvedMessageParameters();
        which.jobPathParameter.resolve(id);
        CheckpointingStatistics all = Answer.of(client.sendRequest(
                CheckpointingStatisticsHeaders.getInstance(), which, EmptyRequestBody.getInstance()));
        CheckpointStatistics.CompletedCheckpointStatistics completed =
                all.getLatestCheckpoints().getCompletedCheckpointStatistics();
        CheckpointStatistics.FailedCheckpointStatistics failed =
                all.getLatestCheckpoints().getFailedCheckpointStatistics();
        if (failed != null && failed.getId() > lastGivenUp) {
            lastGivenUp = failed.getId();
            String expired = CheckpointFailureReason.CHECKPOINT_EXPIRED.message();
            if (String.valueOf(failed.getFailureMessage())
                    .contains(expired)) { // others fail with a task, which is reported
                warnings.accept("topology '" + plan.topology() + "': checkpoint " + failed.getId() + " was aborted: "
                        + expired.replaceFirst("[.]$", "") + unsaved(failed.getId()));
            }
        }
        if (completed != null) {
            lastCheckpoint = new CheckpointStats(
                    plan.topology(),
                    completed.getId(),
                    completed.getTriggerTimestamp(),
                    completed.getDuration(),
                    0,
                    0,
                    last,
                    List.of(new CheckpointStats.StateSize("", "all", completed.getStateSize())));
        }
    }

    /** The operators whose tasks had not saved their state, in the order in which a barrier reaches them. */
    private String unsaved(long checkpoint) throws InterruptedException, ExecutionException {
        CheckpointMessageParameters which =
                CheckpointStatisticDetailsHeaders.getInstance().getUnresolvedMessageParameters();
        for (MessagePathParameter<?> parameter : which.getPathParameters()) {
            if (parameter instanceof CheckpointIdPathParameter of) {
                of.resolve(checkpoint);
            }
        }
        which.jobPathParameter.resolve(id);
        Map<JobVertexID, TaskCheckpointStatistics> saved = Answer.of(client.sendRequest(
                        CheckpointStatisticDetailsHeaders.getInstance(), which, EmptyRequestBody.getInstance()))
                .getCheckpointStatisticsPerTask();
        List<String> unsaved = new ArrayList<>();
        operators.forEach((vertex, names) -> {
            TaskCheckpointStatistics of = saved.get(vertex);
            if (of != null && of.getNumAckSubtasks() < of.getNumSubtasks()) {
                unsaved.add("operator '" + String.join("+", names) + "' (" + of.getNumAckSubtasks() + " of "
                        + of.getNumSubtasks() + " tasks had saved their state)");
            }
        });
        return unsaved.isEmpty() ? "" : "; it waited for " + String.join(", ", unsaved);
    }
}
