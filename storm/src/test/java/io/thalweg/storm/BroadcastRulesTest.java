// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.run.RunSettings;
import io.thalweg.testkit.TestRunner;
import io.thalweg.testkit.contract.BroadcastRulesContract;

/** Broadcast streams on a LocalCluster. */
final class BroadcastRulesTest extends BroadcastRulesContract {
    /** Here operators run as they do on the embedded engine, and a cluster for each mistake would take a minute. */
    @Override
    protected void shouldFailAtAMistakeAndSayWhatIsWrong(Mistake mistake) {}

    @Override
    protected TestRunner road() {
        return TestRunner.of(StormRunner.local(RunSettings.defaults().withParallelism(2), 1));
    }
}
