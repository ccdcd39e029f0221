// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.contract.OutputRulesContract;

/** What a run on the embedded engine writes itself. */
final class EmbeddedOutputRulesTest extends OutputRulesContract {
    @Override
    protected Runner runner(RunSettings settings) {
        return new EmbeddedRunner(settings);
    }
}
