// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.nio.charset.StandardCharsets;

/**
 * Thrown by a user's function to say that the record in hand is bad. The record is counted and kept in the dead letters
 * and the job goes on, unless it runs with {@code --on-bad fail}.
 */
public final class BadRecordException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final byte[] bytes;

    /** @param bytes the record as it came in, for the dead letters */
    public BadRecordException(String reason, byte[] bytes) {
        super(reason, null, false, false);
        this.bytes = bytes.clone();
    }

    public BadRecordException(String reason, String text) {
        this(reason, text.getBytes(StandardCharsets.UTF_8));
    }

    public byte[] bytes() {
        return bytes.clone();
    }
}
