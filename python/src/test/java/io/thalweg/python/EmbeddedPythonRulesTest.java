// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;

/** On the embedded engine. */
final class EmbeddedPythonRulesTest extends PythonRulesContract {
    @Override
    protected Runner runner() {
        return new EmbeddedRunner(RunSettings.defaults().withParallelism(PARALLELISM));
    }
}
