// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.api.stats.PlanInfo;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.OperatorProfile;
import io.thalweg.doctor.observation.TaskSpan;
import java.util.ArrayList;
import java.util.List;

/** Records cross a queue where they need not, and that costs more than a little of what the cores can do. */
final class UnfusedEdgeRule implements Rule {
    /** Of all samples. */
    private static final double MIN_SHARE = 0.05;

    /** Tasks that emit about the same need no shuffle. */
    private static final double EVEN = 1.3;

    /** What is fused is also compiled as one, which gains about as much as the missing queue: an estimate. */
    private static final double COMPILED_AS_ONE = 2;

    @Override
    public List<Finding> findings(Facts facts) {
        List<Finding> found = new ArrayList<>();
        if (!(facts.areWorkersFull() || facts.waitsForHandOver()) || facts.allSamples() == 0) {
            return found; // with idle threads, a queue may be what lets two stages run at a time
        }
        for (PlanInfo.Edge edge : facts.plan().edges()) {
            if (!edge.fused() && needless(facts, edge)) {
                found.addAll(finding(facts, edge));
            }
        }
        return found;
    }

    static boolean needless(Facts facts, PlanInfo.Edge edge) {
        boolean ledBack = facts.plan().edges().stream()
                .anyMatch(each -> each.feedback() && each.to().equals(edge.to()));
        if (ledBack) {
            return false;
        }
        boolean isolated = edge.reason().endsWith("is isolated");
        boolean shuffled = edge.grouping().equals("shuffle") && edge.tasksFrom() == edge.tasksTo();
        return isolated || (shuffled && emitsEvenly(facts, edge.from()));
    }

    private static boolean emitsEvenly(Facts facts, String operator) {
        for (ChainFacts chain : facts.chains()) {
            if (chain.info().operators().contains(operator)) {
                long all =
                        chain.tasks().stream().mapToLong(TaskSpan::recordsOut).sum();
                long most = chain.tasks().stream()
                        .mapToLong(TaskSpan::recordsOut)
                        .max()
                        .orElse(0);
                return most * chain.tasks().size() <= EVEN * all;
            }
        }
        return false;
    }

    private static List<Finding> finding(Facts facts, PlanInfo.Edge edge) {
        double share = (double) (handOver(facts, edge.from()) + handOver(facts, edge.to())) / facts.allSamples();
        if (share < MIN_SHARE) {
            return List.of();
        }
        String remedy = edge.reason().endsWith("is isolated")
                ? "remove .isolate() at " + edge.reason().replace(" is isolated", "")
                : "remove .shuffle() before '" + edge.to() + "': its input is even already";
        return Findings.of("unfused-edge")
                .operator(edge.to())
                .share("of all samples in handing records over from '" + edge.from() + "'", share)
                .figure("threads busy", facts.busyWorkers(), "of " + facts.workers())
                .why("records from '" + edge.from() + "' to '" + edge.to() + "' cross a queue, because "
                        + edge.reason())
                .remedy(remedy)
                .throughput(1 / (1 - Math.min(0.8, share * COMPILED_AS_ONE)), "the job is as fast when they are fused");
    }

    private static long handOver(Facts facts, String operator) {
        OperatorProfile profile = facts.profile(operator);
        return profile == null ? 0 : profile.handOverSamples();
    }
}
