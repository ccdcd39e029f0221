// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import io.thalweg.api.codec.Codec;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/**
 * What a sink's writer may know.
 *
 * @param operator name of the sink in the topology
 * @param task from 0 to parallelism - 1
 * @param console where results for a person to read go; any thread may print
 * @param records writes and reads the records, for a writer that keeps some; null if nobody knows
 * @param guarantee what the job promises, as far as it reaches this sink: a writer that cannot show records once by itself does
 *     what costs less if less is asked for
 * @param checkpoint number of the checkpoint that the job goes on from, 0 if it begins; {@link #NO_CHECKPOINTS} where it
 *     takes none, and a {@link CheckpointedWriter} is never asked to save
 * @param run names this run of the job: the same for all its tasks in all their processes, also when they are started again after
 *     a failure; another one when somebody starts the job again
 * @param reports hears of records that turn out bad later, and of what the user should know
 */
public record SinkContext(
        String topology,
        String operator,
        int task,
        int parallelism,
        PrintStream console,
        @Nullable Codec<Object> records,
        Guarantee guarantee,
        long checkpoint,
        String run,
        SinkReports reports) {
    public static final long NO_CHECKPOINTS = -1;

    /** Of a job in which nobody hears reports. */
    public SinkContext(
            String topology,
            String operator,
            int task,
            int parallelism,
            PrintStream console,
            @Nullable Codec<Object> records,
            Guarantee guarantee,
            long checkpoint,
            String run) {
        this(topology, operator, task, parallelism, console, records, guarantee, checkpoint, run, SinkReports.none());
    }

    /** Of a job that promises nothing and takes no checkpoints; its run has the topology's name. */
    public SinkContext(String topology, String operator, int task, int parallelism, PrintStream console) {
        this(topology, operator, task, parallelism, console, null, Guarantee.NONE, NO_CHECKPOINTS, topology);
    }
}
