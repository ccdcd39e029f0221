// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jet;

import com.hazelcast.jet.core.AbstractProcessor;
import com.hazelcast.jet.core.Inbox;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.SinkMeter;
import org.jspecify.annotations.Nullable;

/** A sink that counts, and drops what it counted. */
final class MeterP<T> extends AbstractProcessor {
    private final Cell cell;
    private final RelayWork.Counter<T> counter;
    private @Nullable SinkMeter meter;

    MeterP(Cell cell, RelayWork.Counter<T> counter) {
        this.cell = cell;
        this.counter = counter;
    }

    @Override
    protected void init(Context context) {
        meter = Meters.of(cell).sink();
    }

    @Override
    public void process(int ordinal, Inbox inbox) {
        SinkMeter open = meter;
        if (open != null) {
            inbox.<T>drain(record -> counter.count(record, open));
        }
    }

    @Override
    public void close() {
        if (meter != null) {
            meter.close();
        }
    }
}
