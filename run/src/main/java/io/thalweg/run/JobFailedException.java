// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import org.jspecify.annotations.Nullable;

/**
 * A job that failed. The message is one line for the user: where (topology, operator, task, split, offset) and what.
 */
public final class JobFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * A failure with its cause.
     *
     * @param message one line for the user
     * @param cause the exception of the user's code or connector; null if there is none
     */
    public JobFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
