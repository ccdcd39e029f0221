// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.BlockedCall;
import io.thalweg.doctor.observation.OperatorProfile;
import java.util.ArrayList;
import java.util.List;

/** An operator stands still within a call, and keeps a thread that other tasks share. */
final class BlockingCallRule implements Rule {
    /** Of the busy time of a chain; less than that is the page fault or the lock now and then. */
    static final double MIN_BLOCKED = 0.2;

    /** Of the time of a thread; a task with little to do may have stood still once for longer than it works, on a busy machine say. */
    static final double MIN_OF_THREAD = 0.02;

    /** More calls at a time than this are seldom welcome to whoever answers them. */
    private static final int MOST_CALLS = 16;

    @Override
    public List<Finding> findings(Facts facts) {
        List<Finding> found = new ArrayList<>();
        for (ChainFacts chain : facts.chains()) {
            for (String operator : chain.info().operators()) {
                OperatorProfile profile = facts.profile(operator);
                double blocked = facts.blockedNs(operator) / Math.max(1, chain.busyNs());
                if (chain.sharesThreads()
                        && profile != null
                        && profile.python() == null // that it hands rows to processes is judged by what they do
                        && (!profile.blocked().isEmpty() || facts.waitsBriefly(operator))
                        && blocked >= MIN_BLOCKED
                        && facts.blockedNs(operator) >= MIN_OF_THREAD * chain.lengthNs()
                        && !facts.operator(operator).kind().equals("sink")) {
                    found.addAll(finding(facts, chain, operator, profile));
                }
            }
        }
        return found;
    }

    private static List<Finding> finding(Facts facts, ChainFacts chain, String operator, OperatorProfile profile) {
        double blocked = Math.min(1, facts.blockedNs(operator) / chain.busyNs());
        double factor = factor(facts, chain);
        int calls = (int) Math.min(MOST_CALLS, Math.ceil(chain.tasks().size() * factor));
        Findings finding = Findings.of("blocking-call")
                .operator(operator)
                .share("of the time of its tasks in calls that stand still", blocked);
        String where = addCalls(finding, facts, operator, profile);
        return finding.why(where + " on a thread that other tasks share: nothing else runs on it meanwhile")
                .remedy("use .async(), which waits for many answers at a time; or mark '" + operator
                        + "' with .blocking() and give it .parallelism(" + calls + ")")
                .throughput(factor, "the calls return at once when the job runs alone");
    }

    /** Adds what is known of an operator's calls, and returns in which it waits. */
    private static String addCalls(Findings finding, Facts facts, String operator, OperatorProfile profile) {
        if (facts.waitsBriefly(operator)) {
            addBrief(finding, facts, operator);
            return "'" + operator + "' waits in calls of less than a millisecond";
        }
        BlockedCall worst = profile.blocked().get(0);
        finding.figure("calls of " + worst.call(), worst.times(), "")
                .figure("of each", (double) worst.totalNs() / worst.times() / 1e6, "ms")
                .figure("longest", worst.longestNs() / 1e6, "ms");
        return place(worst, operator) + " waits in " + worst.call();
    }

    /** What tells that an operator stands still in calls that nobody recorded. */
    static void addBrief(Findings finding, Facts facts, String operator) {
        finding.share(
                        "of that in calls of a millisecond or longer",
                        facts.recordedNs(operator) / Math.max(1, facts.blockedNs(operator)))
                .figure("cores used", facts.usedCores(), "of " + facts.cores());
    }

    /** With as many calls at a time as are sensible, or until something else limits the job. */
    static double factor(Facts facts, ChainFacts chain) {
        return Math.max(1, Math.min((double) MOST_CALLS / chain.tasks().size(), facts.roomOnWorkers()));
    }

    static String place(BlockedCall call, String operator) {
        String method = call.method().isEmpty() ? "'" + operator + "'" : call.method();
        return method + (call.line().isEmpty() ? "" : " (" + call.line() + ")");
    }
}
