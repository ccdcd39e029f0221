// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.run.BadLimit;
import io.thalweg.run.Tolerance;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a job's tasks on another engine.
 *
 * @param badLimit how many records may be bad before the job fails
 * @param stepRecords maximum number of records that a source polls in one turn
 * @param guarantee of the job
 * @param acked the other engine acks records one by one
 * @param checkpoints tasks save their state at barriers
 * @param stopTimeoutMs how long a job without checkpoints that was cancelled waits for records in flight
 * @param restoreFrom the checkpoint's file, readable on every machine; null if the job starts without one
 * @param tolerance which differences between checkpoint and topology are accepted
 * @param run identifies this run of the job in all its processes, across restarts
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
