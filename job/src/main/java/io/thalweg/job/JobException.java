// SPDX-License-Identifier: Apache-2.0
package io.thalweg.job;

import org.jspecify.annotations.Nullable;

/** A JOB that cannot be used as it was named; the message is one line for the user. */
public final class JobException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String details;

    JobException(String message) {
        this(message, "", null);
    }

    /** @param details lines to print before the message, such as the compiler's */
    JobException(String message, String details, @Nullable Throwable cause) {
        super(message, cause);
        this.details = details;
    }

    /** Empty, or lines that each end in a line break. */
    public String details() {
        return details;
    }
}
