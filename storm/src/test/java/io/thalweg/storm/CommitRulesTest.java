// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.contract.CommitRulesContract;
import org.junit.jupiter.api.Tag;

/** The end of a job on Storm. */
@Tag("integration")
final class CommitRulesTest extends CommitRulesContract {
    @Override
    protected Runner runner(RunSettings settings) {
        return StormRunner.local(settings, 1);
    }
}
