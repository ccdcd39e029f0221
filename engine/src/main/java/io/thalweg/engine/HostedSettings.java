// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.run.BadLimit;
import io.thalweg.run.Tolerance;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What the tasks of a job must know that another engine runs.
 *
 * @param badLimit how many records may be bad before the job fails
 * @param stepRecords most records that a source polls in one turn
 * @param guarantee what the job promises
 * @param acked records are confirmed one by one, by that engine
 * @param checkpoints tasks save what they remember when a barrier comes
 * @param stopTimeoutMs how long a job without checkpoints that was cancelled waits for records in flight
 * @param restoreFrom the checkpoint's file, on every machine; null if the job begins
 * @param tolerance what is accepted of a checkpoint that does not fit
 * @param run names this run of the job in all its processes, also when it is started again after a failure
 */
public record HostedSettings(
        int parallelism,
        boolean specialise,
        boolean failOnBad,
        BadLimit badLimit,
        int stepRecords,
        Guarantee guarantee,
        boolean acked,
        boolean checkpoints,
        long stopTimeoutMs,
        @Nullable String restoreFrom,
        Tolerance tolerance,
        String run)
        implements Serializable {}
