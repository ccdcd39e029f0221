// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.run.BadLimit;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.TestRunner;
import io.thalweg.testkit.contract.TimeRulesContract;
import org.junit.jupiter.api.Tag;

/** Windows, watermarks and lateness on Flink, a job for each case; {@code verify} runs {@link FlinkTimeRulesTogetherTest}. */
@Tag("long")
final class FlinkTimeRulesTest extends TimeRulesContract {
    private static final LocalFlink FLINK = LocalFlink.shared();

    @Override
    protected TestRunner road() {
        return TestRunner.of(FLINK.runner(
                RunSettings.defaults().withBadLimit(BadLimit.none()).withParallelism(2)));
    }
}
