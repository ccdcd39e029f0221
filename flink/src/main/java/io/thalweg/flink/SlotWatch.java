// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.instance.SlotSharingGroupId;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.runtime.rest.messages.EmptyMessageParameters;
import org.apache.flink.runtime.rest.messages.EmptyRequestBody;
import org.apache.flink.runtime.rest.messages.job.JobDetailsInfo;
import org.apache.flink.runtime.rest.messages.taskmanager.TaskManagerDetailsHeaders;
import org.apache.flink.runtime.rest.messages.taskmanager.TaskManagerInfo;
import org.apache.flink.runtime.rest.messages.taskmanager.TaskManagerMessageParameters;
import org.apache.flink.runtime.rest.messages.taskmanager.TaskManagersHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Tells of a job that waits for slots: it begins when it has all of them, with the adaptive scheduler when it has one for each group,
 * and Flink says nothing before it gives up, after five minutes by default. For one thread.
 */
final class SlotWatch {
    /** On a cluster with enough slots, and on one that starts TaskManagers as they are needed, this may take a moment. */
    private static final long MOMENT_MS = 3_000;

    private final String topology;
    private final RestClusterClient<String> client;
    private final JobID id;
    private final Map<SlotSharingGroupId, Integer> widest;
    private final Consumer<String> warnings;
    private @Nullable Long waitsSinceMs;
    private boolean told;

    SlotWatch(String topology, RestClusterClient<String> client, JobGraph job, Consumer<String> warnings) {
        this.topology = topology;
        this.client = client;
        id = job.getJobID();
        widest = widest(job);
        this.warnings = warnings;
    }

    /** How many tasks an operator of a group has at most: a slot takes a task of each operator of its group. */
    private static Map<SlotSharingGroupId, Integer> widest(JobGraph job) {
        Map<SlotSharingGroupId, Integer> widest = new HashMap<>();
        for (JobVertex vertex : job.getVertices()) {
            widest.merge(vertex.getSlotSharingGroup().getSlotSharingGroupId(), vertex.getParallelism(), Math::max);
        }
        return widest;
    }

    /** Once for each time that the job waits: at its start, or after a TaskManager was lost. */
    void look(long nowMs) throws InterruptedException {
        try {
            JobDetailsInfo details = Answer.of(client.getJobDetails(id));
            boolean created = details.getJobStatus() == JobStatus.CREATED;
            if (!created && !waits(details)) {
                waitsSinceMs = null;
                told = false;
                return;
            }
            if (waitsSinceMs == null) {
                waitsSinceMs = nowMs;
            }
            if (!told && nowMs - waitsSinceMs >= MOMENT_MS) {
                tell(created ? widest.size() : sum(widest));
            }
        } catch (ExecutionException e) {
            return; // Flink does not answer at the moment
        }
    }

    private static int sum(Map<SlotSharingGroupId, Integer> tasks) {
        return tasks.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** A task without a slot is scheduled, and not yet deployed; the adaptive scheduler makes none before it has slots. */
    private static boolean waits(JobDetailsInfo job) {
        return job.getJobVertexInfos().stream()
                .anyMatch(vertex -> vertex.getTasksPerState().getOrDefault(ExecutionState.SCHEDULED, 0) > 0);
    }

    private void tell(int needed) throws ExecutionException, InterruptedException {
        int all = 0;
        long free = 0;
        for (TaskManagerInfo manager : Answer.of(client.sendRequest(
                        TaskManagersHeaders.getInstance(),
                        EmptyMessageParameters.getInstance(),
                        EmptyRequestBody.getInstance()))
                .getTaskManagerInfos()) {
            all += manager.getNumberSlots();
            free += manager.getNumberAvailableSlots() + kept(manager);
        }
        if (free < needed) { // otherwise it will have them at once
            told = true;
            warnings.accept("topology '" + topology + "' waits for slots of Flink: it needs " + needed + ", and " + free
                    + " of the cluster's " + all + (free == 1 ? " is" : " are")
                    + " free; cancel other jobs, add TaskManagers, or stop this job and give it fewer tasks, as with"
                    + " --parallelism");
        }
    }

    /** What this job has got already, and cannot begin with. */
    private long kept(TaskManagerInfo manager) throws ExecutionException, InterruptedException {
        TaskManagerMessageParameters which =
                TaskManagerDetailsHeaders.getInstance().getUnresolvedMessageParameters();
        which.taskManagerIdParameter.resolve(manager.getResourceId());
        return Answer.of(client.sendRequest(
                        TaskManagerDetailsHeaders.getInstance(), which, EmptyRequestBody.getInstance()))
                .getAllocatedSlots()
                .stream()
                .filter(slot -> slot.getJobId().equals(id))
                .count();
    }
}
