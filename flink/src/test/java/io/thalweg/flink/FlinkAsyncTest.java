// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.contract.AsyncRulesContract;
import org.junit.jupiter.api.Tag;

/** Lookups on Flink. */
@Tag("integration")
final class FlinkAsyncTest extends AsyncRulesContract {
    private static final LocalFlink FLINK = LocalFlink.shared();

    @Override
    protected Runner runner(RunSettings settings) {
        return FLINK.runner(settings);
    }

    @Override
    protected Guarantee guarantee() {
        return Guarantee.EXACTLY_ONCE;
    }
}
