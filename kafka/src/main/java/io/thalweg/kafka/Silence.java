// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.DurationText;
import io.thalweg.api.operator.ConnectionReports;
import java.time.Duration;

/**
 * Notices that a client waits for a cluster that does not answer, which the client itself does without a word. What counts is
 * that bytes come in: a connection may be there and dead, and a client that tries to connect has one for a moment. For one
 * thread.
 */
final class Silence {
    /** A leader that moves, or a broker that restarts quickly, is not worth a line. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Who did not look for so long was not there to hear. */
    private static final long LONGEST_GAP_NS = Duration.ofSeconds(2).toNanos();

    private final String system;
    private final ConnectionReports reports;
    private final Duration patience;
    private double received = -1;
    private long sinceNs;
    private long lookedNs;
    private long answeredNs;

    Silence(String servers, ConnectionReports reports, Duration patience) {
        system = "Kafka at " + servers;
        this.reports = reports;
        this.patience = patience;
    }

    /**
     * Looks; to be called about once a second.
     *
     * @param waiting the client waits for an answer
     * @param bytes that have come in so far
     */
    void look(long nowNs, boolean waiting, double bytes) {
        boolean answered = bytes != received;
        if (answered || !waiting || nowNs - lookedNs > LONGEST_GAP_NS) {
            sinceNs = nowNs;
        }
        lookedNs = nowNs;
        received = bytes;
        if (answered) {
            answeredNs = nowNs;
            reports.restored(system);
        } else if (nowNs - sinceNs >= patience.toNanos()) {
            lost("no answer for " + DurationText.of(patience));
        }
    }

    /** The cluster has answered lately, whatever it said. */
    boolean answers(long nowNs) {
        return nowNs - answeredNs <= LONGEST_GAP_NS;
    }

    void lost(String reason) {
        reports.lost(system, reason);
    }
}
