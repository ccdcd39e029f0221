// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** All rules. */
public final class Rules {
    private static final List<Rule> ALL = List.of(
            new FailureRule(),
            new RestartsRule(),
            new FailedCheckpointsRule(),
            new IdleSplitRule(),
            new BlockingCallRule(),
            new KafkaSendsRule(),
            new SlowSinkRule(),
            new SkewedKeysRule(),
            new SlowTaskRule(),
            new FewSplitsRule(),
            new KafkaFetchesRule(),
            new SlowSourceRule(),
            new ParallelismRule(),
            new PythonRule(),
            new ParsingRule(),
            new GarbageRule(),
            new CheckpointsRule(),
            new MaxPendingRule(),
            new AcksRule(),
            new UnfusedEdgeRule(),
            new CopiesRule(),
            new SmallQueuesRule(),
            new ThreadsRule(),
            new LateRecordsRule(),
            new GrowingStateRule(),
            new StormWorkersRule(),
            new StormShellRule(),
            new StormAcksRule(),
            new StormTransferRule(),
            new FlinkTasksRule(),
            new FlinkStacksRule(),
            new FlinkChainingRule(),
            new FlinkNetworkRule(),
            new FlinkStateRule());

    private Rules() {}

    /** What they find, the worst first; of equally bad findings, in the order of the rules. */
    public static List<Finding> findings(Facts facts) {
        List<Finding> found = new ArrayList<>();
        ALL.forEach(rule -> found.addAll(rule.findings(facts)));
        found.sort(Comparator.comparingDouble(Finding::severity).reversed());
        return found;
    }
}
