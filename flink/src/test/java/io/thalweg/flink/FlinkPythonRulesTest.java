// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.python.PythonRulesContract;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import org.junit.jupiter.api.Tag;

/** Operators in Python on Flink. */
@Tag("integration")
final class FlinkPythonRulesTest extends PythonRulesContract {
    @Override
    protected Runner runner(RunSettings settings) {
        return LocalFlink.shared().runner(settings);
    }

    @Override
    protected Guarantee guarantee() {
        return Guarantee.EXACTLY_ONCE;
    }
}
