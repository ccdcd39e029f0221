// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.python.PythonRulesContract;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;

/** Operators in Python on a LocalCluster. */
final class PythonRulesTest extends PythonRulesContract {
    @Override
    protected Runner runner() {
        return StormRunner.local(RunSettings.defaults().withParallelism(PARALLELISM), 1);
    }
}
