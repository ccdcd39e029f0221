// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.random;

import java.io.Serializable;
import java.util.Comparator;

/**
 * What flows in random topologies.
 *
 * @param time where the stream's times are its records' own, the event time
 */
record Event(String key, long time, long value) implements Serializable {
    static final Comparator<Event> ORDER = Comparator.comparingLong(Event::value)
            .thenComparingLong(Event::time)
            .thenComparing(Event::key);

    static int order(Event a, Event b) {
        return ORDER.compare(a, b);
    }

    Event withTime(long other) {
        return new Event(key, other, value);
    }

    Event withValue(long other) {
        return new Event(key, time, other);
    }
}
