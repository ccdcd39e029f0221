// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.api.stats.PlanInfo;
import io.thalweg.doctor.observation.TaskSpan;
import java.util.List;

/**
 * A chain of fused operators over the steady part of an observation.
 *
 * @param info of the plan
 * @param tasks the totals of each of its tasks, by index
 * @param lengthNs of the steady part
 */
public record ChainFacts(PlanInfo.Chain info, List<TaskSpan> tasks, long lengthNs) {
    /** The engine's words for tasks that share no thread. */
    private static final String OWN_THREADS = "each on a thread of its own";

    boolean sharesThreads() {
        return !info.runsAs().contains(OWN_THREADS);
    }

    String head() {
        return info.operators().get(0);
    }

    long busyNs() {
        return tasks.stream().mapToLong(TaskSpan::busyNs).sum();
    }

    long recordsIn() {
        return tasks.stream().mapToLong(TaskSpan::recordsIn).sum();
    }

    /** How many threads its tasks kept busy. */
    double busyThreads() {
        return (double) busyNs() / lengthNs;
    }

    double busy(TaskSpan task) {
        return (double) task.busyNs() / lengthNs;
    }

    /** The task that was busy for most of the time. */
    TaskSpan busiest() {
        TaskSpan busiest = tasks.get(0);
        for (TaskSpan task : tasks) {
            busiest = task.busyNs() > busiest.busyNs() ? task : busiest;
        }
        return busiest;
    }

    /** The share of the time for which the task that was busy least was busy. */
    double leastBusy() {
        return tasks.stream().mapToDouble(this::busy).min().orElse(0);
    }
}
