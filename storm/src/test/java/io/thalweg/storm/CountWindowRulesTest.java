// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.run.RunSettings;
import io.thalweg.testkit.TestRunner;
import io.thalweg.testkit.contract.CountWindowRulesContract;
import org.junit.jupiter.api.Tag;

/** Windows of so many records on a LocalCluster. */
@Tag("integration")
final class CountWindowRulesTest extends CountWindowRulesContract {
    @Override
    protected TestRunner road() {
        return TestRunner.of(StormRunner.local(RunSettings.defaults().withParallelism(2), 1));
    }
}
