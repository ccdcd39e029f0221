// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.report;

import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.metrics.Counter;

/**
 * The number of records that an operator has got, from Flink's own counter. It is read only when sent, so counting
 * costs nothing.
 */
final class RecordsInCounter extends LongCounter {
    private static final long serialVersionUID = 1L;

    private final transient Counter counter;

    RecordsInCounter(Counter counter) {
        this.counter = counter;
    }

    @Override
    public long getLocalValuePrimitive() {
        return super.getLocalValuePrimitive() + counter.getCount();
    }

    @Override
    public Long getLocalValue() {
        return getLocalValuePrimitive();
    }

    @Override
    public LongCounter clone() {
        return new LongCounter(getLocalValuePrimitive());
    }

    private Object writeReplace() {
        return clone();
    }
}
