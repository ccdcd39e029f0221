// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.contract.WarningRulesContract;

/** What sources and sinks tell, embedded. */
final class EmbeddedWarningRulesTest extends WarningRulesContract {
    @Override
    protected Runner runner(RunSettings settings) {
        return new EmbeddedRunner(settings);
    }
}
