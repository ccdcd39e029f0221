// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.contract.AsyncRulesContract;

/** Lookups on the embedded engine, on threads. */
final class EmbeddedAsyncRulesTest extends AsyncRulesContract {
    @Override
    protected Runner runner(RunSettings settings) {
        return new EmbeddedRunner(settings);
    }

    @Override
    protected Guarantee guarantee() {
        return Guarantee.EXACTLY_ONCE;
    }
}
