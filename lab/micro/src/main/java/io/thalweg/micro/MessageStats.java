// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;

/** The last component: how long each message took, by powers of two; and whether it came whole. */
record MessageStats(String name) implements Sink<Message> {
    @Override
    public SinkWriter<Message> open(SinkContext context) {
        return new Stats();
    }

    static final class Stats implements SinkWriter<Message> {
        private final long[] tookNs = new long[Long.SIZE + 1];
        private long sum;

        @Override
        public void write(Message message) {
            long[] times = message.times();
            if (message.data().length != Message.BYTES || times.length != 2 || times[1] < times[0]) {
                throw new IllegalStateException("message " + message.number() + " was not handled twice");
            }
            long took = System.nanoTime() - times[0];
            tookNs[Long.SIZE - Long.numberOfLeadingZeros(took)]++;
            sum += message.number();
        }

        @Override
        public void finish() {
            long count = 0;
            for (long ofThisLength : tookNs) {
                count += ofThisLength;
            }
            Tally.add(count, sum);
        }
    }
}
