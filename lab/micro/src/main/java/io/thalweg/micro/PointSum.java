// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;

/** Adds points up. */
record PointSum(String name) implements Sink<Point> {
    @Override
    public SinkWriter<Point> open(SinkContext context) {
        return new Writer();
    }

    static final class Writer implements SinkWriter<Point> {
        private long count;
        private long sum;

        @Override
        public void write(Point point) {
            count++;
            sum += point.value;
        }

        @Override
        public void finish() {
            Tally.add(count, sum);
        }
    }
}
