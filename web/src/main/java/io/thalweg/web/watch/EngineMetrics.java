// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.watch;

import io.thalweg.api.stats.PlanInfo;

/**
 * What an engine tells of its jobs, beside what all of them tell: where it does not, statistics have zeros, which nobody should take for
 * measurements.
 *
 * @param queues batches that wait in the queues of tasks
 * @param calls how long calls of tasks took, open windows, and what each task sends over all of its edges
 * @param restarts how often the job was restarted
 */
public record EngineMetrics(boolean queues, boolean calls, boolean restarts) {
    private static final String EMBEDDED = "embedded";
    private static final String FLINK = "Flink";

    /** Of the engine that runs the plan. */
    public static EngineMetrics by(PlanInfo plan) {
        boolean flink = plan.runner().startsWith(FLINK);
        return new EngineMetrics(isEmbedded(plan), !flink, !flink);
    }

    static boolean isEmbedded(PlanInfo plan) {
        return plan.runner().equals(EMBEDDED);
    }
}
