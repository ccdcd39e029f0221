// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import java.util.List;

/** More threads compute than there are cores: they take turns, and pay for it. */
final class ThreadsRule implements Rule {
    /** A busy thread more than cores. */
    private static final double MIN_SURPLUS = 0.9;

    /** What switching costs: an estimate. */
    private static final Gain GAIN = new Gain(1, 1.3, Gain.THROUGHPUT);

    private static final double SEVERITY = 0.2;

    @Override
    public List<Finding> findings(Facts facts) {
        double computing = facts.busyWorkers() - facts.blockedWorkers();
        int cores = facts.cores();
        if (facts.plan().workers() <= cores || computing < cores + MIN_SURPLUS) {
            return List.of();
        }
        return List.of(Findings.of("threads")
                .figure("threads", facts.plan().workers(), "")
                .figure("threads that compute, on average", computing, "")
                .figure("cores", cores, "")
                .figure("cores used", facts.usedCores(), "")
                .why("threads that compute take turns on the cores, and a task that waits for its turn holds others up")
                .remedy(
                        "run as many threads as there are cores; what waits within calls belongs on threads of its own, with .blocking()")
                .option("--threads " + cores)
                .made(SEVERITY, GAIN, "the job is slower with " + cores + " threads"));
    }
}
