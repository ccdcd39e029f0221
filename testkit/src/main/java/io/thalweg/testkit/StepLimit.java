// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.api.stats.JobStats;
import io.thalweg.engine.Job;
import java.util.concurrent.locks.LockSupport;

/**
 * Fails if a job that is run step by step is stuck: if no record has moved for many steps. It does not limit the steps
 * themselves: a look-up is answered by another thread, and on a busy machine a job takes any number of steps until then.
 */
final class StepLimit {
    private static final int MOST_IDLE_STEPS = 200_000;
    private static final int FEW_STEPS = 10_000; // most runs end within them
    private static final int STEPS_AT_A_TIME = 64;
    private static final long PAUSE_NS = 100_000;

    private final Job job;
    private int steps;
    private long moved;

    StepLimit(Job job) {
        this.job = job;
    }

    /** To be called after each step. */
    void stepped() {
        steps++;
        if (steps % STEPS_AT_A_TIME == 0) {
            letOthersRun();
        }
        if (steps % MOST_IDLE_STEPS == 0) {
            JobStats stats = job.stats();
            long now = stats.recordsIn() + stats.recordsOut() + stats.recordsBad();
            if (now == moved) {
                throw new IllegalStateException(
                        "no record has moved for " + MOST_IDLE_STEPS + " steps, after " + steps + ": " + stats);
            }
            moved = now;
        }
    }

    /** Who answers a look-up may wait for this core. */
    private void letOthersRun() {
        if (steps < FEW_STEPS) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(PAUSE_NS);
        }
    }
}
