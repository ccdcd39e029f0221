// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.OperatorProfile;
import io.thalweg.doctor.observation.ProcessSpan;
import java.util.Comparator;
import java.util.List;

/**
 * Collections of garbage stop the tasks for much of the time; or objects that die at once take much of the cores, which collections
 * hardly show: what they cost is to make them, and to fill caches with them.
 */
final class GarbageRule implements Rule {
    /** One part in eleven: without collections the job is a tenth faster. G1's own goal is one in thirteen, of which less is gained. */
    private static final double MAX_GC = 1 - 1 / Facts.MIN_GAIN;

    /** A heap that is fuller than this after its collections leaves too little room between them. */
    private static final double FULL = 0.7;

    /**
     * Of the CPU time, in making and collecting objects: a smaller part is the price of records, as 11 % in the healthy jobs of the
     * corpus that do little else.
     */
    private static final double MIN_MADE = 0.25;

    /** For a record of a source: records and the values of some fields take a tenth of that. */
    private static final double MANY_BYTES = 4_000;

    /** Of what is allocated: then the operator is the one to change. */
    private static final double MOSTLY = 0.5;

    /** What a byte of a new object costs: measured as 0.06 to 0.07 ns for objects of 16 and 40 bytes, and 0.04 ns for
     * arrays of a kilobyte, against the same loop that uses one object again (JDK 17, G1, two cores). */
    private static final double NS_PER_BYTE = 0.065;

    @Override
    public List<Finding> findings(Facts facts) {
        double share = facts.gcShare() * facts.share();
        return share < MAX_GC ? manyObjects(facts) : collections(facts, share);
    }

    private static List<Finding> manyObjects(Facts facts) {
        long all = facts.judged().stream().mapToLong(GarbageRule::allocated).sum();
        OperatorProfile most = facts.judged().stream()
                .max(Comparator.comparingLong(GarbageRule::allocated))
                .orElse(null);
        double bytes = all * facts.steadyShare();
        double cpuNs = facts.usedCores() * facts.lengthNs();
        double share = (bytes * NS_PER_BYTE + facts.gcCpuNs()) / Math.max(1, cpuNs);
        double each = bytes / Math.max(1, facts.recordsIn());
        if (most == null
                || allocated(most) < MOSTLY * all
                || each < MANY_BYTES
                || share < MIN_MADE
                || !facts.areWorkersFull()) {
            return List.of();
        }
        return Findings.of("garbage")
                .operator(most.operator())
                .figure("allocated for each record", each, "bytes")
                .figure("allocated", bytes / facts.lengthNs(), "GB/s")
                .share("of it by '" + most.operator() + "'", (double) allocated(most) / all)
                .share("of the CPU time in collections", facts.gcCpuNs() / Math.max(1, cpuNs))
                .share("of the CPU time in making and collecting objects, about", share)
                .why("'" + most.operator() + "' makes many objects for each record and lets go of them at once")
                .remedy(
                        "make fewer objects in '" + most.operator()
                                + "': arrays of primitive values instead of collections of boxed ones, one collection instead of copies")
                .throughput(1 / (1 - Math.min(MOST_SAVED, share)), "the job is as fast with half as many objects");
    }

    /** Results have to be made in any case. */
    private static final double MOST_SAVED = 0.8;

    private static List<Finding> collections(Facts facts, double share) {
        OperatorProfile most = facts.observation().operators().stream()
                .filter(operator -> allocated(operator) > 0)
                .max(Comparator.comparingLong(GarbageRule::allocated))
                .orElse(null);
        ProcessSpan process = facts.newest().stream()
                .max(Comparator.comparingDouble(each -> leastUsed(facts, each)))
                .orElseThrow(); // somebody has told of collections
        Long max = process.heapMaxBytes();
        boolean full = leastUsed(facts, process) > FULL;
        String whose = facts.newest().size() == 1 ? "" : " of " + process.process();
        Findings finding = Findings.of("garbage").share("of the time in collections", share);
        if (most != null) {
            long all = facts.observation().operators().stream()
                    .mapToLong(GarbageRule::allocated)
                    .sum();
            finding.operator(most.operator())
                    .share("of what is allocated, by '" + most.operator() + "'", (double) allocated(most) / all);
        }
        finding.figure("heap in use" + whose, process.heapUsedBytes() / 1e6, "MB");
        if (max != null) {
            finding.figure("heap at most" + whose, max / 1e6, "MB");
        }
        return finding.why("collections stop all tasks")
                .remedy(
                        full
                                ? "give the job a larger heap, or keep less"
                                : (most == null ? "" : "make fewer objects in '" + most.operator() + "', ")
                                        + facts.advice().lessGarbage())
                .option(full && max != null ? facts.advice().largerHeap(max) : null)
                .throughput(1 / (1 - Math.min(0.9, share)), "the job is as fast with a heap of twice the size");
    }

    /** The share of its heap that a process uses at least, so after its collections; 0 if nobody tells how large it is. */
    private static double leastUsed(Facts facts, ProcessSpan process) {
        Long max = process.heapMaxBytes();
        return max == null
                ? 0
                : facts.steady().stream()
                                .flatMap(span -> span.processes().stream())
                                .filter(each -> each.process().equals(process.process()))
                                .mapToLong(ProcessSpan::heapUsedBytes)
                                .min()
                                .orElse(0)
                        / (double) max;
    }

    private static long allocated(OperatorProfile operator) {
        Long bytes = operator.allocatedBytes();
        return bytes == null ? 0 : bytes;
    }
}
