// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.contract.ProcessingTimerRulesContract;
import org.junit.jupiter.api.Tag;

/** Processing-time timers on a LocalCluster. */
@Tag("integration")
final class ProcessingTimerRulesTest extends ProcessingTimerRulesContract {
    @Override
    protected Runner runner() {
        return StormRunner.local(RunSettings.defaults().withParallelism(2), 1);
    }
}
