// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.testkit.CombinedTopologies;
import io.thalweg.testkit.Outcome;
import io.thalweg.testkit.TestRunner;
import io.thalweg.testkit.TestSource;
import io.thalweg.testkit.contract.TimeCase.Stamped;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@link TimeRulesContract} on a runner where it takes seconds to start a topology: many cases in one. */
public final class TimeRulesTogether {
    private TimeRulesTogether() {}

    /** @param atOnce cases in one topology */
    public static void check(TestRunner road, int atOnce) throws Exception {
        List<TimeCase> cases = TimeCase.all();
        for (int from = 0; from < cases.size(); from += atOnce) {
            check(road, cases.subList(from, Math.min(cases.size(), from + atOnce)));
        }
    }

    private static void check(TestRunner road, List<TimeCase> cases) throws Exception {
        List<TestSource<Stamped>> held = new ArrayList<>();
        List<TopologyGraph> graphs = new ArrayList<>();
        for (TimeCase rule : cases) {
            TestSource<Stamped> source = TimeRulesContract.source(rule);
            held.add(source);
            graphs.add(TimeRulesContract.topology(rule, source).graph());
        }
        Outcome all = road.run(CombinedTopologies.of("time rules", graphs));
        long bad = 0;
        long late = 0;
        for (int number = 0; number < cases.size(); number++) {
            TimeCase rule = cases.get(number);
            Map<String, List<Object>> sinks = CombinedTopologies.sinks(all, number);
            TimeRulesContract.check(
                    rule, new Outcome(sinks, rule.bad(), rule.late().size()));
            bad += rule.bad();
            late += rule.late().size();
        }
        assertThat(all.bad()).as("bad records of all cases").isEqualTo(bad);
        assertThat(all.late()).as("late records of all cases").isEqualTo(late);
        assertThat(held).hasSameSizeAs(cases);
    }
}
