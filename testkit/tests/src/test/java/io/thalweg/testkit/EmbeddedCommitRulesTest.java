// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.contract.CommitRulesContract;

/** The end of a job of the embedded engine. */
final class EmbeddedCommitRulesTest extends CommitRulesContract {
    @Override
    protected Runner runner(RunSettings settings) {
        return new EmbeddedRunner(settings);
    }
}
