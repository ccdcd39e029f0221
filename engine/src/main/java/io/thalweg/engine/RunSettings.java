// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;

/**
 * How a topology is to be run.
 *
 * @param parallelism tasks of an operator that does not say how many it wants
 * @param threads worker threads; 0 for none, where the caller steps the job with {@link Job#step()}
 * @param idle what a worker does when no task of its has anything to do
 * @param failOnBad true to fail at the first bad record, false to count it and go on
 * @param badRecords is handed every bad record
 * @param console where console sinks print
 * @param specialise false to run the plain classes instead of copies made for each pipeline: slower, for comparison
 * @param stepRecords most records that a source task polls in one turn; 0 to let the engine find the number
 * @param queueBatches batches a queue holds, a power of two
 * @param batchRecords records a batch holds
 */
public record RunSettings(
        int parallelism,
        int threads,
        Idle idle,
        boolean failOnBad,
        BadRecordListener badRecords,
        PrintStream console,
        boolean specialise,
        int stepRecords,
        int queueBatches,
        int batchRecords) {
    public RunSettings {
        require(parallelism >= 1 && parallelism <= 256, "parallelism must be from 1 to 256", parallelism);
        require(threads >= 0, "threads must be at least 0", threads);
        require(stepRecords >= 0, "stepRecords must be at least 0", stepRecords);
        require(Integer.bitCount(queueBatches) == 1, "queueBatches must be a power of two", queueBatches);
        require(batchRecords >= 1, "batchRecords must be at least 1", batchRecords);
    }

    /** One task an operator and one worker a core; idle workers spin a little, then park. */
    public static RunSettings defaults() {
        int cores = Runtime.getRuntime().availableProcessors();
        PrintStream console = new PrintStream(new FileOutputStream(FileDescriptor.out), true);
        return new RunSettings(
                cores, cores, Idle.BALANCED, false, (topology, operator, record) -> {}, console, true, 0, 16, 512);
    }

    public RunSettings withParallelism(int value) {
        return new RunSettings(
                value,
                threads,
                idle,
                failOnBad,
                badRecords,
                console,
                specialise,
                stepRecords,
                queueBatches,
                batchRecords);
    }

    public RunSettings withThreads(int value) {
        return new RunSettings(
                parallelism,
                value,
                idle,
                failOnBad,
                badRecords,
                console,
                specialise,
                stepRecords,
                queueBatches,
                batchRecords);
    }

    public RunSettings withIdle(Idle value) {
        return new RunSettings(
                parallelism,
                threads,
                value,
                failOnBad,
                badRecords,
                console,
                specialise,
                stepRecords,
                queueBatches,
                batchRecords);
    }

    public RunSettings withFailOnBad(boolean value) {
        return new RunSettings(
                parallelism,
                threads,
                idle,
                value,
                badRecords,
                console,
                specialise,
                stepRecords,
                queueBatches,
                batchRecords);
    }

    public RunSettings withBadRecords(BadRecordListener value) {
        return new RunSettings(
                parallelism,
                threads,
                idle,
                failOnBad,
                value,
                console,
                specialise,
                stepRecords,
                queueBatches,
                batchRecords);
    }

    public RunSettings withConsole(PrintStream value) {
        return new RunSettings(
                parallelism,
                threads,
                idle,
                failOnBad,
                badRecords,
                value,
                specialise,
                stepRecords,
                queueBatches,
                batchRecords);
    }

    public RunSettings withSpecialise(boolean value) {
        return new RunSettings(
                parallelism,
                threads,
                idle,
                failOnBad,
                badRecords,
                console,
                value,
                stepRecords,
                queueBatches,
                batchRecords);
    }

    /** For tests: how much happens in one turn and how much a queue holds. */
    public RunSettings withSteps(int records, int batches, int recordsInBatch) {
        return new RunSettings(
                parallelism,
                threads,
                idle,
                failOnBad,
                badRecords,
                console,
                specialise,
                records,
                batches,
                recordsInBatch);
    }

    private static void require(boolean holds, String rule, int value) {
        if (!holds) {
            throw new IllegalArgumentException(rule + ", not " + value);
        }
    }
}
