// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.run.RunSettings;
import io.thalweg.testkit.TestRunner;
import io.thalweg.testkit.contract.ExpiringStateRulesContract;
import org.junit.jupiter.api.Tag;

/** State with a time to live on Flink. */
@Tag("integration")
final class FlinkExpiringStateRulesTest extends ExpiringStateRulesContract {
    private static final LocalFlink FLINK = LocalFlink.shared();

    @Override
    protected TestRunner road() {
        return TestRunner.of(FLINK.runner(RunSettings.defaults().withParallelism(2)));
    }
}
