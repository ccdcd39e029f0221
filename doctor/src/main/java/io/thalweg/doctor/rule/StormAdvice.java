// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import org.jspecify.annotations.Nullable;

/** For topologies of Storm that Thalweg has not started. A task of the observation is an executor there. */
class StormAdvice implements Advice {
    static final String RUNNER = "Storm";

    @Override
    public String moreTasks(String operator, int tasks, @Nullable String behind) {
        return "give '" + operator + "' " + tasks
                + " executors: the number behind its name where the topology is built," + " or storm rebalance -e "
                + operator + "=" + tasks + ", if it has as many tasks";
    }

    @Override
    public @Nullable String parallelism(int tasks) {
        return null; // Storm has none for all components
    }

    @Override
    public String skewedKeys() {
        return "group by a finer key, or by partialKeyGrouping, which shares a key between two tasks, and merge behind it";
    }

    @Override
    public String expensiveRecords(String operator, boolean ofSource) {
        return "find out what is special about the tuples of this executor, and about its worker";
    }

    @Override
    public String fewSplits(int tasks, @Nullable String expensive) {
        return "divide the input into " + tasks + " parts, or give the spout as many executors as there are parts";
    }

    @Override
    public String batchWrites(String sink, int tasks) {
        return "write several tuples with one call, or give '" + sink + "' " + tasks + " executors";
    }

    @Override
    public @Nullable String checkpointInterval(long seconds) {
        return null; // of stateful bolts; Nimbus does not tell of their checkpoints
    }

    @Override
    public String alignment() {
        return "make what is before the slow input faster";
    }

    @Override
    public String failedCheckpoints() {
        return "repair the cause";
    }

    @Override
    public String restarts() {
        return "repair the cause; the supervisor starts a worker again, and a tuple that cannot be processed ends it each"
                + " time: catch what it throws, and ack it once it is noted elsewhere";
    }

    @Override
    public @Nullable String largerHeap(long bytes) {
        return "topology.worker.childopts: -Xmx" + Advice.twice(bytes);
    }

    @Override
    public String ownThreads() {
        return "each executor has a thread of its own";
    }

    @Override
    public String lessGarbage() {
        return "keep fewer of them";
    }
}
