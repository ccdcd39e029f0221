// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import org.jspecify.annotations.Nullable;

/** For jobs of Flink that Thalweg has not started. */
final class FlinkAdvice implements Advice {
    static final String RUNNER = "Flink";

    @Override
    public String moreTasks(String operator, int tasks, @Nullable String behind) {
        String set = "give '" + operator + "' .setParallelism(" + tasks + ")";
        return behind == null
                ? set
                : set + "; what is chained to the source needs as many splits, or .rebalance() before it";
    }

    @Override
    public @Nullable String parallelism(int tasks) {
        return "-p " + tasks;
    }

    @Override
    public String skewedKeys() {
        return "aggregate in two steps, first by key and a salt, then by key, or choose a finer key";
    }

    @Override
    public String expensiveRecords(String operator, boolean ofSource) {
        return ofSource
                ? "put .rebalance() behind the source, so that all tasks share the expensive records, or divide the split"
                : "find out what is special about the records of this task, and about its TaskManager";
    }

    @Override
    public String fewSplits(int tasks, @Nullable String expensive) {
        return "divide the input into " + tasks
                + " splits or partitions, or put .rebalance() behind the source, so that all tasks get records";
    }

    @Override
    public String batchWrites(String sink, int tasks) {
        return "write several records with one call, or give '" + sink + "' .setParallelism(" + tasks + ")";
    }

    @Override
    public String checkpointInterval(long seconds) {
        return "execution.checkpointing.interval: " + seconds + "s";
    }

    @Override
    public String alignment() {
        return "make what is before the slow input faster, or use unaligned checkpoints"
                + " (execution.checkpointing.unaligned.enabled)";
    }

    @Override
    public String failedCheckpoints() {
        return "repair the cause; if they expire, find what holds barriers back, use unaligned checkpoints, or raise"
                + " execution.checkpointing.timeout";
    }

    @Override
    public String restarts() {
        return "repair the cause; Flink repeats what failed from the last checkpoint, and a record that cannot be processed"
                + " fails each time";
    }

    @Override
    public @Nullable String largerHeap(long bytes) {
        return "taskmanager.memory.task.heap.size: " + Advice.twice(bytes);
    }

    @Override
    public String ownThreads() {
        return "what waits within calls belongs on threads of its own, with .blocking()";
    }

    @Override
    public String lessGarbage() {
        return "keep fewer of them; pipeline.object-reuse saves copies where functions neither keep nor change records";
    }
}
