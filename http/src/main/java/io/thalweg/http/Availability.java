// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import java.util.function.Consumer;

/** Whether a service takes requests, as one task sees it; tells when that ends and when it begins again. For several threads. */
final class Availability {
    /** A single failure, as of a connection that the service has closed, is not worth a line. */
    private static final int TOLD_FROM = 2;

    private static final long LONG_MS = 1_000;

    private final String service;
    private final Consumer<String> warnings;
    private int failures;
    private boolean told;
    private long timesAway;

    Availability(String service, Consumer<String> warnings) {
        this.service = service;
        this.warnings = warnings;
    }

    synchronized void failed(String reason, long pauseMs) {
        failures++;
        if (!told && (failures >= TOLD_FROM || pauseMs >= LONG_MS)) {
            told = true;
            timesAway++;
            warnings.accept("the service " + service + " takes no requests (" + reason + "); the job waits for it");
        }
    }

    synchronized void answered() {
        if (told) {
            warnings.accept("the service " + service + " takes requests again, after " + failures
                    + (failures == 1 ? " failure" : " failures") + "; it was away " + timesAway
                    + (timesAway == 1 ? " time" : " times") + " so far; the job goes on");
        }
        told = false;
        failures = 0;
    }
}
