// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.python.PythonRulesContract;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;

/** Operators in Python on Flink. */
final class FlinkPythonRulesTest extends PythonRulesContract {
    @Override
    protected Runner runner() {
        return LocalFlink.shared().runner(RunSettings.defaults().withParallelism(PARALLELISM));
    }
}
