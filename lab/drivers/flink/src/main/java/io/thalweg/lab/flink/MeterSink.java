// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.SinkMeter;
import java.io.Serializable;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/** Counts what comes out and keeps nothing of it. */
record MeterSink<T>(Cell cell, Taker<T> taker) implements Sink<T> {
    private static final long serialVersionUID = 1L;

    /** One that a cell asks for: what it takes in may have to count with a checkpoint. */
    static <T> Sink<T> of(Cell cell, Taker<T> taker) {
        return cell.commits() ? new CommittingSink<>(cell, taker) : new MeterSink<>(cell, taker);
    }

    /** Says to the meter what a record was. */
    interface Taker<T> extends Serializable {
        void take(T record, SinkMeter meter);
    }

    @Override
    public SinkWriter<T> createWriter(WriterInitContext context) {
        SinkMeter meter = Meters.of(cell).sink();
        return new SinkWriter<>() {
            @Override
            public void write(T record, Context context) {
                taker.take(record, meter);
            }

            @Override
            public void flush(boolean endOfInput) {}

            @Override
            public void close() {
                meter.close();
            }
        };
    }
}
