// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.run.RunSettings;
import io.thalweg.testkit.TestRunner;
import io.thalweg.testkit.contract.WindowJoinRulesContract;
import org.junit.jupiter.api.Tag;

/** Window joins on a LocalCluster. */
@Tag("integration")
final class WindowJoinRulesTest extends WindowJoinRulesContract {
    @Override
    protected TestRunner road() {
        return TestRunner.of(StormRunner.local(RunSettings.defaults().withParallelism(2), 1));
    }
}
