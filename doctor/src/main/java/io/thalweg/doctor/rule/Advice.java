// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.StormTopology;
import org.jspecify.annotations.Nullable;

/** What to change, in the words of the engine that runs the job. */
interface Advice {
    /** A kind of what an engine knows as its own; Thalweg's operators have others. */
    String OF_ENGINE = "operator";

    /** In the engine's words where it was asked, and in Thalweg's where tasks of Thalweg have told. */
    static Advice of(Observation observation) {
        boolean asked = observation.flink() != null
                || observation.storm() != null
                || observation.plan().operators().stream()
                        .anyMatch(each -> each.kind().equals(OF_ENGINE));
        return asked ? of(observation.plan().runner()) : new ThalwegAdvice();
    }

    static Advice of(String runner) {
        if (runner.equals(StormTopology.HERE)) {
            return new StormHereAdvice();
        }
        if (runner.startsWith(StormAdvice.RUNNER)) {
            return new StormAdvice();
        }
        return runner.startsWith(FlinkAdvice.RUNNER) ? new FlinkAdvice() : new ThalwegAdvice();
    }

    /** @param behind the source that it is fused with; null if it is not fused with one */
    String moreTasks(String operator, int tasks, @Nullable String behind);

    /** The option that sets the number of all tasks; null if there is none. */
    @Nullable String parallelism(int tasks);

    String skewedKeys();

    String expensiveRecords(String operator, boolean ofSource);

    /** @param expensive operator that takes most of the time of the source's tasks; null if that is the source */
    String fewSplits(int tasks, @Nullable String expensive);

    String batchWrites(String sink, int tasks);

    @Nullable String checkpointInterval(long seconds);

    String alignment();

    String failedCheckpoints();

    String restarts();

    /** The option for a heap of twice the size; null if there is none. */
    @Nullable String largerHeap(long bytes);

    String lessGarbage();

    /** What is to have threads of its own where others are shared. */
    String ownThreads();

    /** Twice a size, as Java and Flink read it, {@code 512m} or {@code 8g}: a round number, which may be a quarter more. */
    static String twice(long bytes) {
        long megabytes = Math.max(1, (2 * bytes) >> 20);
        long step = Math.max(1, Long.highestOneBit(megabytes) / 4);
        long rounded = (megabytes + step - 1) / step * step;
        return rounded % 1_024 == 0 ? rounded / 1_024 + "g" : rounded + "m";
    }
}
