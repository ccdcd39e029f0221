// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import java.util.ArrayList;
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
            return facts.haveOwnThreads() || !facts.knowsCores() ? List.of() : onOwnThreads(facts);
        }
        return List.of(Findings.of("threads")
                .figure("threads", facts.plan().workers(), "")
                .figure("threads that compute, on average", computing, "")
                .figure("cores", cores, "")
                .figure("cores used", facts.usedCores(), "")
                .why("threads that compute take turns on the cores, and a task that waits for its turn holds others up")
                .remedy("run as many threads as there are cores; "
                        + facts.advice().ownThreads())
                .option("--threads " + cores)
                .made(SEVERITY, GAIN, "the job is slower with " + cores + " threads"));
    }

    /** Tasks that were given threads of their own because they may block, compute instead, more of them than there are cores. */
    private static List<Finding> onOwnThreads(Facts facts) {
        int cores = facts.cores();
        if (facts.observation().storm() != null || facts.usedCores() < Facts.SATURATED * cores) {
            return List.of(); // Storm gives threads to all, or they wait for something else than a core
        }
        List<Finding> found = new ArrayList<>();
        for (ChainFacts chain : facts.chains()) {
            double computing = chain.busyThreads() - facts.blockedNs(chain) / facts.lengthNs();
            if (!chain.sharesThreads() && computing >= cores + MIN_SURPLUS) {
                String operator = facts.dominant(chain);
                found.add(Findings.of("threads")
                        .operator(operator)
                        .figure("threads of its own", chain.tasks().size(), "")
                        .figure("threads that compute or wait for a core, on average", computing, "")
                        .figure("cores", cores, "")
                        .figure("cores used", facts.usedCores(), "")
                        .why("'" + operator
                                + "' computes on threads of its own, which take turns on the cores with all others")
                        .remedy("give '" + operator + "' .parallelism(" + cores
                                + ") without .blocking(), which is for what waits")
                        .made(SEVERITY, GAIN, "the job is slower without .blocking()"));
            }
        }
        return found;
    }
}
