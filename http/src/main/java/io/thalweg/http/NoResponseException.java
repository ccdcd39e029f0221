// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import java.io.IOException;

/** A service has not answered in time. */
final class NoResponseException extends IOException {
    private static final long serialVersionUID = 1L;

    private final long waitedMs;

    NoResponseException(String message, long waitedMs) {
        super(message);
        this.waitedMs = waitedMs;
    }

    long waitedMs() {
        return waitedMs;
    }
}
