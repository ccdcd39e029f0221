// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.SinkMeter;
import java.io.Serializable;

/** A sink that counts, and drops what it counted. */
record Counted<T>(Cell cell, Counter<T> counter) implements Sink<T> {
    interface Counter<T> extends Serializable {
        void count(T value, SinkMeter meter);
    }

    @Override
    public String name() {
        return "count";
    }

    @Override
    public boolean immediate() {
        return true;
    }

    @Override
    public SinkWriter<T> open(SinkContext context) {
        SinkMeter meter = Meters.of(cell).sink();
        return value -> counter.count(value, meter);
    }
}
