// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.contract.OutputRulesContract;

/** What a run on Storm writes itself. */
final class OutputRulesTest extends OutputRulesContract {
    @Override
    protected Runner runner(RunSettings settings) {
        return StormRunner.local(settings, 1);
    }
}
