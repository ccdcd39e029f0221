// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.oracle;

import io.thalweg.testkit.TestRunner;
import io.thalweg.testkit.contract.TimeRulesContract;

/** The oracle itself, held against rules worked out by hand. */
final class SequentialTimeRulesTest extends TimeRulesContract {
    @Override
    protected TestRunner road() {
        return TestRunner.sequential(1);
    }
}
