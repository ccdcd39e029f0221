// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.flink;

import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.doctor.observation.FailedCheckpoints;
import io.thalweg.doctor.observation.OneLine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The newest checkpoints of a job, as many as Flink remembers: ten by default.
 *
 * @param complete oldest first
 * @param failed null if none ended
 * @param writesMs how long the longest task wrote each of them, on average; null if there are none, or Flink has forgotten them
 */
record Checkpoints(
        List<CheckpointStats> complete,
        @Nullable FailedCheckpoints failed,
        @Nullable Double writesMs) {
    /** Each of them is asked for once for each vertex. */
    private static final int MOST_DETAILED = 4;

    private static final int MOST_REQUESTS = 200;
    private static final String COMPLETED = "COMPLETED";

    /** They fail with something else, which is told itself. */
    private static final Pattern WITH_THE_JOB = Pattern.compile(
            ".*(?:Coordinator is suspending|FailoverRegion is restarting|Coordinator shutdown|The job has failed|Task has failed).*");

    /**
     * @param job its path
     * @param vertices their ids
     */
    static Checkpoints of(FlinkRest rest, String job, String topology, Set<String> vertices)
            throws IOException, InterruptedException {
        Answer all = rest.find(job + "/checkpoints");
        List<CheckpointStats> complete = new ArrayList<>();
        List<Long> writesMs = new ArrayList<>();
        int ended = 0;
        int failed = 0;
        boolean newestFailed = false;
        String cause = null;
        for (Answer each : all == null ? List.<Answer>of() : all.at("history").elements()) {
            String state = each.at("status").text();
            String message = OneLine.of(each.at("failure_message").text());
            boolean savepoint = each.at("is_savepoint").text().equals("true");
            boolean told =
                    state.equals("FAILED") && WITH_THE_JOB.matcher(message).matches();
            if (savepoint || told || !(state.equals(COMPLETED) || state.equals("FAILED"))) {
                continue;
            }
            if (state.equals(COMPLETED)) {
                if (complete.size() < MOST_DETAILED && complete.size() * vertices.size() < MOST_REQUESTS) {
                    complete.add(0, detailed(rest, job, topology, each, vertices, writesMs));
                }
            } else {
                newestFailed |= ended == 0;
                cause = cause == null && !message.isEmpty() ? message : cause;
                failed++;
            }
            ended++;
        }
        return new Checkpoints(
                complete,
                ended == 0 ? null : new FailedCheckpoints(failed, ended, newestFailed, cause),
                writesMs.isEmpty()
                        ? null
                        : Double.valueOf(writesMs.stream()
                                .mapToLong(Long::longValue)
                                .average()
                                .orElse(0)));
    }

    private static CheckpointStats detailed(
            FlinkRest rest, String job, String topology, Answer checkpoint, Set<String> vertices, List<Long> writesMs)
            throws IOException, InterruptedException {
        long aligned = 0;
        long paused = 0;
        long writes = -1;
        long number = checkpoint.at("id").count();
        for (String vertex : vertices) {
            Answer tasks = rest.find(job + "/checkpoints/details/" + number + "/subtasks/" + vertex);
            if (tasks != null) { // Flink may have forgotten it meanwhile
                Answer summary = tasks.at("summary");
                aligned = Math.max(
                        aligned,
                        summary.at("alignment").at("duration").at("max").count());
                paused = Math.max(
                        paused,
                        summary.at("checkpoint_duration").at("sync").at("max").count());
                writes = Math.max(
                        writes,
                        summary.at("checkpoint_duration").at("sync").at("max").count()
                                + summary.at("checkpoint_duration")
                                        .at("async")
                                        .at("max")
                                        .count());
            }
        }
        if (writes >= 0) {
            writesMs.add(writes);
        }
        return new CheckpointStats(
                topology,
                number,
                checkpoint.at("trigger_timestamp").count(),
                checkpoint.at("end_to_end_duration").count(),
                aligned,
                paused,
                false,
                List.of(new CheckpointStats.StateSize(
                        "", "all", checkpoint.at("state_size").count())));
    }
}
