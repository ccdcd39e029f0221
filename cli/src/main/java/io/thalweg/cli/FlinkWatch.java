// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.stats.JobStats;
import io.thalweg.doctor.flink.FlinkJob;
import io.thalweg.doctor.flink.FlinkObserver;
import io.thalweg.doctor.flink.FlinkRest;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.run.RunningJob;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Watches a job that this process has started on a cluster of Flink, as {@code thalweg doctor flink=…} watches those of others. A cluster
 * that does not answer, or tells nothing before the job has ended, is no failure. For one thread.
 */
final class FlinkWatch {
    private final FlinkRest rest;
    private @Nullable FlinkObserver observer;
    private long badBefore;
    private long lateBefore;
    private @Nullable String problem;

    /** @param address of the REST endpoint, {@code host:port} */
    FlinkWatch(String address) {
        rest = FlinkExamination.rest(address);
    }

    /** Takes what the cluster has counted until now. */
    void look(RunningJob job) {
        try {
            if (observer == null) { // a job that has just begun has no plan yet
                observer = new FlinkObserver(rest, FlinkJob.find(rest, job.id()));
                problem = null;
                badBefore = job.stats().recordsBad();
                lateBefore = job.stats().recordsLate();
            } else if (problem == null) {
                boolean unused = observer.look();
            }
        } catch (IOException | IllegalArgumentException e) {
            problem = Failures.oneLine(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Why nothing more was seen; null if that was no failure. */
    @Nullable String problem() {
        return problem;
    }

    /**
     * What was observed; null if that was nothing.
     *
     * @param counted what the tasks of the job have told besides
     */
    @Nullable Observation observation(JobStats counted) {
        FlinkObserver seen = observer;
        if (seen == null || !seen.hasSeenAnything()) {
            return null;
        }
        try {
            return seen.observation(
                    Math.max(0, counted.recordsBad() - badBefore), Math.max(0, counted.recordsLate() - lateBefore));
        } catch (IOException | IllegalArgumentException e) {
            problem = Failures.oneLine(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return null;
    }
}
