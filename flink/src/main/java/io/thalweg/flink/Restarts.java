// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.runtime.rest.messages.EmptyRequestBody;
import org.apache.flink.runtime.rest.messages.JobExceptionsHeaders;
import org.apache.flink.runtime.rest.messages.JobExceptionsInfoWithHistory;
import org.apache.flink.runtime.rest.messages.job.JobExceptionsMessageParameters;

/** Warns the user of each failure that a job has recovered from. For one thread. */
final class Restarts {
    private final String topology;
    private final RestClusterClient<String> client;
    private final JobID id;
    private final Consumer<String> warnings;
    private long toldUntilMs = Long.MIN_VALUE;

    Restarts(String topology, RestClusterClient<String> client, JobID id, Consumer<String> warnings) {
        this.topology = topology;
        this.client = client;
        this.id = id;
        this.warnings = warnings;
    }

    /** Reports new failures, if the job has recovered from them. */
    void report() throws InterruptedException {
        List<JobExceptionsInfoWithHistory.RootExceptionInfo> newestFirst;
        try {
            newestFirst = newestFirst();
            if (newestFirst.isEmpty() || newestFirst.get(0).getTimestamp() <= toldUntilMs || fails()) {
                return;
            }
        } catch (ExecutionException e) {
            return; // Flink does not answer at the moment
        }
        for (int i = newestFirst.size() - 1; i >= 0; i--) {
            JobExceptionsInfoWithHistory.RootExceptionInfo failure = newestFirst.get(i);
            if (failure.getTimestamp() > toldUntilMs) {
                toldUntilMs = failure.getTimestamp();
                warnings.accept(line(topology, failure.getStacktrace()) + "; it continues from its last checkpoint");
            }
        }
    }

    /**
     * True if the job has failed. Called after the failures were read: if the job runs again, it has recovered from all
     * of them.
     */
    private boolean fails() throws ExecutionException, InterruptedException {
        JobStatus now = Answer.of(client.getJobStatus(id));
        return now == JobStatus.FAILING || now == JobStatus.FAILED;
    }

    private List<JobExceptionsInfoWithHistory.RootExceptionInfo> newestFirst()
            throws ExecutionException, InterruptedException {
        JobExceptionsMessageParameters which =
                JobExceptionsHeaders.getInstance().getUnresolvedMessageParameters();
        which.jobPathParameter.resolve(id);
        return Answer.of(client.sendRequest(JobExceptionsHeaders.getInstance(), which, EmptyRequestBody.getInstance()))
                .getExceptionHistory()
                .getEntries();
    }

    /** The first line of a stack trace, without the names of Flink's and our exceptions. */
    private static String line(String topology, String stackTrace) {
        String text = stackTrace
                .strip()
                .replaceAll("(?s)\\R.*", "")
                .replaceFirst("[.]$", "")
                .replaceFirst("^(org\\.apache\\.flink|io\\.thalweg)\\.[\\w.$]+: ", "");
        return text.startsWith("topology '") ? text : "topology '" + topology + "': " + text;
    }
}
