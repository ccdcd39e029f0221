// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.run.RunSettings;
import io.thalweg.testkit.Road;
import io.thalweg.testkit.contract.WindowJoinRulesContract;

/** Window joins on Flink. */
final class FlinkWindowJoinRulesTest extends WindowJoinRulesContract {
    private static final LocalFlink FLINK = LocalFlink.shared();

    @Override
    protected Road road() {
        return Road.of(FLINK.runner(RunSettings.defaults().withParallelism(2)));
    }
}
