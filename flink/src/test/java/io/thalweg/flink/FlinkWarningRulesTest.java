// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.contract.WarningRulesContract;

/** What sources and sinks tell on Flink. */
final class FlinkWarningRulesTest extends WarningRulesContract {
    @Override
    protected Runner runner(RunSettings settings) {
        return LocalFlink.shared().runner(settings);
    }
}
