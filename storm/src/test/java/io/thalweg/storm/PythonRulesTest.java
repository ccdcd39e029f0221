// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.python.PythonRulesContract;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import org.junit.jupiter.api.Tag;

/** Operators in Python on a LocalCluster. */
@Tag("integration")
final class PythonRulesTest extends PythonRulesContract {
    @Override
    protected Runner runner(RunSettings settings) {
        return StormRunner.local(settings, 1);
    }

    @Override
    protected Guarantee guarantee() {
        return Guarantee.AT_LEAST_ONCE;
    }
}
