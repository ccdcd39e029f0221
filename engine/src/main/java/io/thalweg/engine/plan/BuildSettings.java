// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.engine.chain.FailureHistory;
import io.thalweg.engine.work.Pieces;
import io.thalweg.run.Clock;
import io.thalweg.run.KeyListener;
import io.thalweg.run.LostConnections;
import io.thalweg.run.StageListener;
import java.io.PrintStream;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings that tasks are built with.
 *
 * @param specialise false to use shared classes instead of copies for each pipeline
 * @param stages is told which class runs which operator
 * @param keys is told hashes of some of the keys
 * @param stepRecords maximum number of records that a source task polls in one turn; 0 to adapt it while running
 * @param guarantee as {@link io.thalweg.api.connector.SinkContext#guarantee} has it
 * @param acks null if records are not confirmed one by one
 * @param run as {@link io.thalweg.api.connector.SinkContext#run} has it
 * @param threaded false if tasks are stepped by the caller, and everything must happen on its thread
 * @param warnings gets warnings for the user, one line each
 * @param lost counts the systems that tasks lose
 * @param feedbackLimit records that a loop may keep beyond its queues
 * @param pieces decodes for sources on worker threads; null if readers decode themselves
 */
public record BuildSettings(
        boolean specialise,
        StageListener stages,
        KeyListener keys,
        boolean threaded,
        int stepRecords,
        int queueBatches,
        int batchRecords,
        PrintStream console,
        Clock clock,
        Guarantee guarantee,
        @Nullable Acks acks,
        FailureHistory failureHistory,
        String run,
        Consumer<String> warnings,
        LostConnections lost,
        long feedbackLimit,
        @Nullable Pieces pieces) {
    /**
     * The settings of acks.
     *
     * @param maxPending maximum number of pending records of one source task
     * @param tries how often a record is sent at most; 0 means unlimited
     */
    public record Acks(int maxPending, long timeoutNs, int tries) {}
}
