// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import io.thalweg.api.codec.Codec;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/**
 * The environment of a sink's writer.
 *
 * @param topology name of the topology
 * @param operator name of the sink in the topology
 * @param task from 0 to parallelism - 1
 * @param parallelism number of tasks of the sink
 * @param console where output for people goes; any thread may print
 * @param records serializes the records, for a writer that buffers some in a checkpoint, which had better hold their
 *     {@link io.thalweg.api.codec.Schema}, too; null if not available
 * @param guarantee what the job guarantees, as far as it concerns this sink: a writer that cannot write exactly once by
 *     itself may do less if less is asked for
 * @param checkpoint number of the checkpoint that the job continues from, 0 at the start; {@link #NO_CHECKPOINTS} if
 *     the job takes none, and a {@link CheckpointedWriter} is never asked to save
 * @param run identifies this run of the job: the same for all its tasks in all their processes, also after a restart; a
 *     new one each time a user starts the job
 * @param reports receives records that turn out bad later, and messages for the user
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
    /** {@link #checkpoint} of a job that takes no checkpoints. */
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

    /** The context of a job without guarantee and checkpoints, whose run has the topology's name. For tests. */
    public SinkContext(String topology, String operator, int task, int parallelism, PrintStream console) {
        this(topology, operator, task, parallelism, console, null, Guarantee.NONE, NO_CHECKPOINTS, topology);
    }
}
