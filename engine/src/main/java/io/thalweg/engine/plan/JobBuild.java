// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.engine.ack.Reports;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.TaskAgreement;
import io.thalweg.engine.checkpoint.Barriers;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.route.Transport;
import io.thalweg.engine.source.SlowestSplits;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the tasks of a job are built from.
 *
 * @param splits of the sources, by number of the node
 * @param checkpoints null if none are taken
 * @param saved null if the job is not restored from a checkpoint
 * @param links between tasks
 */
record JobBuild(
        Plan plan,
        BuildSettings settings,
        TaskAgreement agreement,
        Frame.BadRecords badRecords,
        Map<Integer, List<String>> splits,
        @Nullable Barriers checkpoints,
        @Nullable SavedState saved,
        Links links) {
    /** How the tasks of a job reach each other. */
    sealed interface Links permits Local, Hosting {}

    /**
     * All tasks are in this JVM.
     *
     * @param acks null if the job is not acked
     * @param slowest for each operator that aligns watermarks, by number of the node, what its tasks share
     */
    record Local(Queues queues, @Nullable AckPaths acks, Map<Integer, SlowestSplits> slowest, Loops loops)
            implements Links {}

    /**
     * Another engine runs the task.
     *
     * @param acks gets reports of records that failed; null if the job is not acked
     */
    record Hosting(Transport carrier, @Nullable Reports acks) implements Links {}
}
