// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;

/** Adds events up. */
record EventSum(String name) implements Sink<Event> {
    @Override
    public SinkWriter<Event> open(SinkContext context) {
        return new Writer();
    }

    static final class Writer implements SinkWriter<Event> {
        private long count;
        private long sum;

        @Override
        public void write(Event event) {
            count++;
            sum += event.value();
        }

        @Override
        public void finish() {
            Tally.add(count, sum);
        }
    }
}
