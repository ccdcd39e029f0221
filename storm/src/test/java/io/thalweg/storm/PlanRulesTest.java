// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.contract.PlanRulesContract;
import org.junit.jupiter.api.Tag;

/** Plans of topologies on Storm. */
@Tag("integration")
final class PlanRulesTest extends PlanRulesContract {
    @Override
    protected Runner runner() {
        return StormRunner.local(RunSettings.defaults().withParallelism(2), 1);
    }
}
