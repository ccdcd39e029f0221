// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.run.RunSettings;
import io.thalweg.testkit.Road;
import io.thalweg.testkit.contract.WindowJoinRulesContract;

/** Window joins on a LocalCluster. */
final class WindowJoinRulesTest extends WindowJoinRulesContract {
    @Override
    protected Road road() {
        return Road.of(StormRunner.local(RunSettings.defaults().withParallelism(2), 1));
    }
}
