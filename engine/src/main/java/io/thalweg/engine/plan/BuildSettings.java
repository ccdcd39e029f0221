// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.engine.work.Clock;
import java.io.PrintStream;

/**
 * What tasks are built with.
 *
 * @param specialise false to use shared classes instead of copies for each pipeline
 * @param stepRecords most records that a source task polls in one turn; 0 to find the number while running
 * @param threaded false where tasks are stepped by hand, and everything is to happen in the caller's thread
 */
public record BuildSettings(
        boolean specialise,
        boolean threaded,
        int stepRecords,
        int queueBatches,
        int batchRecords,
        PrintStream console,
        Clock clock) {}
