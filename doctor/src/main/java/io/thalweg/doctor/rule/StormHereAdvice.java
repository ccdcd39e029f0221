// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import org.jspecify.annotations.Nullable;

/** For topologies of Storm that run in Thalweg. A task of the observation is an executor there. */
final class StormHereAdvice extends StormAdvice {
    @Override
    public String moreTasks(String operator, int tasks, @Nullable String behind) {
        return "give '" + operator + "' " + tasks
                + " executors: the number behind its name where the topology is built, parallelism in Flux";
    }

    @Override
    public String expensiveRecords(String operator, boolean ofSource) {
        return "find out what is special about the tuples of this executor";
    }

    @Override
    public String restarts() {
        return "repair the cause";
    }

    @Override
    public String largerHeap(long bytes) {
        return "THALWEG_OPTS=-Xmx" + Advice.twice(bytes);
    }

    @Override
    public String lessGarbage() {
        return "keep fewer of them, or try a larger young generation";
    }

    @Override
    public String ownThreads() {
        return "without --threads each executor has a thread of its own";
    }
}
