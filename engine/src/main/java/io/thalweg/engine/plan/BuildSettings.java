// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.engine.chain.Setbacks;
import io.thalweg.engine.work.Pieces;
import io.thalweg.run.Clock;
import java.io.PrintStream;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What tasks are built with.
 *
 * @param specialise false to use shared classes instead of copies for each pipeline
 * @param stepRecords most records that a source task polls in one turn; 0 to find the number while running
 * @param guarantee as {@link io.thalweg.api.connector.SinkContext#guarantee} has it
 * @param acks null if records are not confirmed one by one
 * @param run as {@link io.thalweg.api.connector.SinkContext#run} has it
 * @param threaded false if tasks are stepped by hand, and everything is to happen in the caller's thread
 * @param warnings hears of what the user should know, in one line
 * @param pieces what workers do for sources that decode in pieces; null if nobody does
 */
public record BuildSettings(
        boolean specialise,
        boolean threaded,
        int stepRecords,
        int queueBatches,
        int batchRecords,
        PrintStream console,
        Clock clock,
        Guarantee guarantee,
        @Nullable Acks acks,
        Setbacks setbacks,
        String run,
        Consumer<String> warnings,
        @Nullable Pieces pieces) {
    /**
     * How records are confirmed.
     *
     * @param maxPending of one source task
     * @param tries how often a record is sent at most; 0 for no limit
     */
    public record Acks(int maxPending, long timeoutNs, int tries) {}
}
