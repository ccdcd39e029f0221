// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.contract.ProcessingTimerRulesContract;
import org.junit.jupiter.api.Tag;

/** Processing-time timers on Flink. */
@Tag("integration")
final class FlinkProcessingTimerRulesTest extends ProcessingTimerRulesContract {
    private static final LocalFlink FLINK = LocalFlink.shared();

    private final RunSettings settings = RunSettings.defaults().withParallelism(2);

    @Override
    protected Runner runner() {
        return FLINK.runner(settings);
    }
}
