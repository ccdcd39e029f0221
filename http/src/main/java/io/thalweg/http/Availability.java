// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import io.thalweg.api.operator.ConnectionReports;

/** Whether a service takes requests, as one task sees it. For several threads. */
final class Availability {
    /** A single failure, as of a connection that the service has closed, is not worth a line. */
    private static final int TOLD_FROM = 2;

    private static final long LONG_MS = 1_000;

    private final String system;
    private final ConnectionReports reports;
    private int failures;

    Availability(String service, ConnectionReports reports) {
        system = "the service " + service;
        this.reports = reports;
    }

    synchronized void failed(String reason, long pauseMs) {
        failures++;
        if (failures >= TOLD_FROM || pauseMs >= LONG_MS) {
            reports.lost(system, reason);
        }
    }

    synchronized void answered() {
        reports.restored(system);
        failures = 0;
    }
}
