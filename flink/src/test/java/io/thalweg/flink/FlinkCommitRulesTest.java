// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.contract.CommitRulesContract;

/** The end of a job on Flink. */
final class FlinkCommitRulesTest extends CommitRulesContract {
    @Override
    protected Runner runner(RunSettings settings) {
        return LocalFlink.shared().runner(settings);
    }
}
