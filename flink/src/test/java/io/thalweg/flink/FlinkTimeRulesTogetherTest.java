// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.run.BadLimit;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.TestRunner;
import io.thalweg.testkit.contract.TimeRulesTogether;
import org.junit.jupiter.api.Test;

/** Windows, watermarks and lateness on Flink, many cases in one job. */
final class FlinkTimeRulesTogetherTest {
    private static final int AT_ONCE = 12;
    private static final LocalFlink FLINK = LocalFlink.shared();

    @Test
    void shouldKeepTheRulesOfTime() throws Exception {
        RunSettings settings =
                RunSettings.defaults().withBadLimit(BadLimit.none()).withParallelism(2);
        TimeRulesTogether.check(TestRunner.of(FLINK.runner(settings)), AT_ONCE);
    }
}
