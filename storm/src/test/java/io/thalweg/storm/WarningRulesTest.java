// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.contract.WarningRulesContract;
import org.junit.jupiter.api.Tag;

/** What sources and sinks tell on a LocalCluster. */
@Tag("integration")
final class WarningRulesTest extends WarningRulesContract {
    @Override
    protected Runner runner(RunSettings settings) {
        return StormRunner.local(settings, 1);
    }
}
