// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.run.RunSettings;
import io.thalweg.testkit.Road;
import io.thalweg.testkit.contract.JoinRulesContract;

/** Joined streams on a LocalCluster. */
final class JoinRulesTest extends JoinRulesContract {
    @Override
    protected Road road() {
        return Road.of(StormRunner.local(RunSettings.defaults().withParallelism(2), 1));
    }
}
