// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import java.io.Serializable;
import java.net.URI;
import java.time.Duration;
import java.util.Set;

/**
 * Where a sink sends its requests, and how.
 *
 * @param patience how long a request is tried again
 * @param refusals statuses that say that a record is bad, beside those that always do
 */
@SuppressWarnings("serial") // the set is one of the JDK's
record Service(URI uri, String method, Calling calling, Duration patience, boolean gzip, Set<Integer> refusals)
        implements Serializable {
    static Service at(String url) {
        return new Service(Calling.uri(url), "POST", Calling.plainly(), Duration.ofMinutes(1), false, Set.of());
    }

    Service with(Calling other) {
        return new Service(uri, method, other, patience, gzip, refusals);
    }

    Service withMethod(String other) {
        if (!Set.of("POST", "PUT", "PATCH").contains(other)) {
            throw new IllegalArgumentException("records are sent with POST, PUT or PATCH, not with " + other);
        }
        return new Service(uri, other, calling, patience, gzip, refusals);
    }

    Service withPatience(Duration atMost) {
        if (atMost.isNegative()) {
            throw new IllegalArgumentException("a service cannot be waited for " + atMost);
        }
        return new Service(uri, method, calling, Calling.inMs(atMost), gzip, refusals);
    }

    Service gzipped() {
        return new Service(uri, method, calling, patience, true, refusals);
    }

    Service withRefusals(Set<Integer> statuses) {
        for (int each : statuses) {
            if (each < 400 || each > 499) {
                throw new IllegalArgumentException(
                        "a status with which a service refuses records is from 400 to 499, not " + each);
            }
        }
        return new Service(uri, method, calling, patience, gzip, Set.copyOf(statuses));
    }

    /** The URL without its parameters, which may hold a token. */
    String place() {
        return Calling.place(uri);
    }

    @Override
    public String toString() {
        return method + " " + place();
    }
}
