// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.TestRunner;
import io.thalweg.testkit.contract.LimitRulesContract;
import org.junit.jupiter.api.Tag;

/** Limits on Flink. */
@Tag("integration")
final class FlinkLimitRulesTest extends LimitRulesContract {
    private static final LocalFlink FLINK = LocalFlink.shared();

    @Override
    protected TestRunner road() {
        return TestRunner.of(runner(RunSettings.defaults().withParallelism(2)));
    }

    @Override
    protected Runner runner(RunSettings settings) {
        return FLINK.runner(settings);
    }
}
