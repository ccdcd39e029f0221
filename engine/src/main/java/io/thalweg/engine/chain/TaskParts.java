// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.engine.checkpoint.Barriers;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.stats.TaskCounters;
import io.thalweg.run.Clock;
import java.util.List;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/** Everything a task is made of but its input. */
public record TaskParts(
        String name,
        Frame frame,
        List<Stage> stages,
        List<Outlet> outlets,
        Sinks sinks,
        boolean blocking,
        TaskCounters counters,
        TaskAgreement agreement,
        Clock clock,
        Saving saving) {
    /** Greatest latency that the histogram holds: an hour. */
    public static final long MAX_LATENCY_US = 3_600_000_000L;

    /**
     * What is measured of a task's sinks.
     *
     * @param written counters of the sinks that not every input record reaches
     * @param ofAll how many sinks every input record reaches
     * @param latencyUs null if the task has no sink
     */
    public record Sinks(
            List<Count.Passed> written, int ofAll, @Nullable SingleWriterRecorder latencyUs) {}

    /**
     * What a task needs of checkpoints.
     *
     * @param number of the task in the job
     * @param input name of the operator at the head of the chain
     * @param checkpoints null if none are taken
     * @param restored null if the job is not restored from a checkpoint
     */
    public record Saving(
            int number,
            String input,
            @Nullable Barriers checkpoints,
            @Nullable Restored restored) {}
}
