// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.contract.OutputRulesContract;

/** What a run on Flink writes itself. */
final class FlinkOutputRulesTest extends OutputRulesContract {
    @Override
    protected Runner runner(RunSettings settings) {
        return FlinkRunner.inThisJvm(settings);
    }
}
