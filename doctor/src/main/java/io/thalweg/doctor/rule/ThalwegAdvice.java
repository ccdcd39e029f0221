// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import org.jspecify.annotations.Nullable;

/** For jobs of Thalweg. */
final class ThalwegAdvice implements Advice {
    @Override
    public String moreTasks(String operator, int tasks, @Nullable String behind) {
        String set = "give '" + operator + "' .parallelism(" + tasks + ")";
        return behind == null ? set : set + " behind .shuffle(), or as many splits to the source";
    }

    @Override
    public String parallelism(int tasks) {
        return "--parallelism " + tasks;
    }

    @Override
    public String skewedKeys() {
        return "aggregate with .partialKeyBy(key), which spreads a key over tasks, or key by a finer key (a salt) and merge behind it";
    }

    @Override
    public String expensiveRecords(String operator, boolean ofSource) {
        return ofSource
                ? "put .shuffle() between the source and '" + operator
                        + "', so that all tasks share the expensive records, or divide the split"
                : "find out what is special about the keys of this task, or give '" + operator + "' more tasks";
    }

    @Override
    public String fewSplits(int tasks, @Nullable String expensive) {
        return expensive == null
                ? "divide the input into " + tasks + " splits or more"
                : "put .shuffle() before '" + expensive + "', which takes most of the time, or divide the input into "
                        + tasks + " splits";
    }

    @Override
    public String batchWrites(String sink, int tasks) {
        return "write several records with one call, or give '" + sink + "' .blocking() and .parallelism(" + tasks
                + ")";
    }

    @Override
    public String checkpointInterval(long seconds) {
        return "--checkpoint-interval " + seconds + "s";
    }

    @Override
    public String alignment() {
        return "make what is before the slow input faster, or take checkpoints less often";
    }

    @Override
    public String failedCheckpoints() {
        return "repair the cause; if they take too long, give them more time";
    }

    @Override
    public String restarts() {
        return "repair the cause; --tries keeps a record that fails again and again with the bad ones and continues"
                + " without it";
    }

    @Override
    public String largerHeap(long bytes) {
        return "THALWEG_OPTS=-Xmx" + Advice.twice(bytes);
    }

    @Override
    public String ownThreads() {
        return "what waits within calls belongs on threads of its own, with .blocking()";
    }

    @Override
    public String lessGarbage() {
        return "keep fewer of them, or try a larger young generation";
    }
}
