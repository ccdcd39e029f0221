// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import java.io.Serializable;
import java.time.Duration;

/**
 * What goes into one request, and when.
 *
 * @param bytes of the records of a request, before compression; a larger record goes alone
 * @param inFlight requests of a task that are under way
 */
record Batching(BodyFormat format, int records, int bytes, Duration flushInterval, int inFlight)
        implements Serializable {
    static Batching arrays() {
        return new Batching(BodyFormat.ARRAY, 500, 1 << 20, Duration.ofSeconds(1), 1);
    }

    Batching as(BodyFormat other) {
        return new Batching(other, records, bytes, flushInterval, inFlight);
    }

    /** How many records a request may hold. */
    int most() {
        return format == BodyFormat.SINGLE ? 1 : records;
    }

    Batching withRecords(int atMost) {
        return new Batching(format, positive("a batch has at least 1 record", atMost), bytes, flushInterval, inFlight);
    }

    Batching withBytes(int atMost) {
        return new Batching(format, records, positive("a batch has at least 1 byte", atMost), flushInterval, inFlight);
    }

    Batching withFlushInterval(Duration atMost) {
        if (atMost.isNegative()) {
            throw new IllegalArgumentException("a record cannot wait for " + atMost);
        }
        return new Batching(format, records, bytes, Calling.inMs(atMost), inFlight);
    }

    Batching withInFlight(int requests) {
        return new Batching(
                format, records, bytes, flushInterval, positive("a task needs at least 1 request in flight", requests));
    }

    private static int positive(String rule, int number) {
        if (number < 1) {
            throw new IllegalArgumentException(rule + ", not " + number);
        }
        return number;
    }
}
