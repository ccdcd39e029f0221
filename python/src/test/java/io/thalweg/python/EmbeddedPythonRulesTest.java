// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import org.junit.jupiter.api.Tag;

/** On the embedded engine. */
@Tag("integration")
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
