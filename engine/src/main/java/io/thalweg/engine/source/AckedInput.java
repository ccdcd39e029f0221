// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.engine.ack.Pending;

/** What a source task does for its records until all that came of them is done, in a job that is acked. */
public record AckedInput(AckTracker tracker, AckedSender sender, AckedLoop loop) {
    Pending pending() {
        return tracker.pending();
    }

    Confirmations confirmations() {
        return tracker.confirmations();
    }
}
