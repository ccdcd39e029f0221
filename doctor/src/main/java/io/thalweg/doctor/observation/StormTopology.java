// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What Nimbus tells of a topology of Storm that other engines do not have, or what Thalweg tells of one that runs in it. Counts are of all
 * spans together, and as Storm samples them: by default it counts every twentieth tuple twenty times. Thalweg counts each.
 *
 * @param status as Nimbus calls it, at the end: {@code ACTIVE}, {@code INACTIVE}, {@code KILLED}
 * @param workers that executors run in, at the end
 * @param silentExecutors that run nowhere or have told nothing since they were last started, at the end
 * @param scheduling what the scheduler says of the topology, in one line; null if nothing
 * @param spoutTasks tasks of all spouts, each of which may have {@code topology.max.spout.pending} tuples pending
 * @param acked tuples of spouts that were acked
 * @param failed tuples of spouts that failed or timed out
 * @param completeMs from when a spout emitted a tuple until it was acked, on average; null if none was acked
 * @param bolts one for each
 * @param ackers executors that track tuples
 * @param busiestAcker share of the time for which the busiest of them was busy
 * @param errors that tasks reported and Nimbus still lists, the newest first
 */
public record StormTopology(
        String status,
        List<StormWorker> workers,
        int silentExecutors,
        @Nullable String scheduling,
        int spoutTasks,
        long acked,
        long failed,
        @Nullable Double completeMs,
        List<StormBolt> bolts,
        int ackers,
        double busiestAcker,
        List<StormError> errors) {
    /** The runner of a topology that runs in a process of Thalweg; of one on a cluster it is {@code Storm} with a version. */
    public static final String HERE = "Storm in Thalweg";

    public StormTopology {
        workers = List.copyOf(workers);
        bolts = List.copyOf(bolts);
        errors = List.copyOf(errors);
    }
}
