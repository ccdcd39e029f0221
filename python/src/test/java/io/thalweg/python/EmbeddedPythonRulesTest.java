// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;

/** On the embedded engine. */
final class EmbeddedPythonRulesTest extends PythonRulesContract {
    @Override
    protected Runner runner(RunSettings settings) {
        return new EmbeddedRunner(settings);
    }

    @Override
    protected Guarantee guarantee() {
        return Guarantee.EXACTLY_ONCE;
    }
}
