// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.tune;

/** A job that cannot be tuned. The message is one line, and says why and what to do. */
public final class TuneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TuneException(String message) {
        super(message);
    }
}
