// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.TestRunner;
import io.thalweg.testkit.contract.LimitRulesContract;
import org.junit.jupiter.api.Tag;

/** Limits on a LocalCluster. */
@Tag("integration")
final class LimitRulesTest extends LimitRulesContract {
    @Override
    protected TestRunner road() {
        return TestRunner.of(StormRunner.local(RunSettings.defaults().withParallelism(2), 1));
    }

    @Override
    protected Runner runner(RunSettings settings) {
        return StormRunner.local(settings, 1);
    }
}
