// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.run.RunSettings;
import io.thalweg.testkit.TestRunner;
import io.thalweg.testkit.contract.NullRulesContract;
import org.junit.jupiter.api.Tag;

/** Nulls and bad rows of a table on a LocalCluster. */
@Tag("integration")
final class NullRulesTest extends NullRulesContract {
    @Override
    protected TestRunner road() {
        return TestRunner.of(StormRunner.local(RunSettings.defaults().withParallelism(2), 1));
    }
}
