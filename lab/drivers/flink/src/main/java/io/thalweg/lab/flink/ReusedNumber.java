// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import io.thalweg.lab.driver.Load;
import org.apache.flink.types.LongValue;

/** Numbers in one object, of Flink's own class for numbers that change. Each source task has a copy of its own. */
final class ReusedNumber implements LoadSource.Maker<LongValue> {
    private static final long serialVersionUID = 1L;

    private final LongValue number = new LongValue();

    @Override
    public LongValue next(Load load) {
        number.setValue(load.take());
        return number;
    }
}
