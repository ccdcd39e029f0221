// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.engine.ack.Pending;

/** The parts of a source task that track and retry its records, in a job that is acked. */
public record AckedInput(AckTracker tracker, AckedSender sender, AckedLoop loop) {
    Pending pending() {
        return tracker.pending();
    }

    Confirmations confirmations() {
        return tracker.confirmations();
    }
}
