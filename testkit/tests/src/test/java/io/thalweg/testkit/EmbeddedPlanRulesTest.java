// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.contract.PlanRulesContract;

/** Plans of the embedded engine. */
final class EmbeddedPlanRulesTest extends PlanRulesContract {
    @Override
    protected Runner runner() {
        return new EmbeddedRunner(RunSettings.defaults().withParallelism(2).withThreads(2));
    }
}
