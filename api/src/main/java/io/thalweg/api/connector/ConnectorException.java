// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import org.jspecify.annotations.Nullable;

/**
 * An input or output that cannot be used. The message is one line for the user that says which one and why; it is shown
 * without a stack trace.
 */
public final class ConnectorException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** An exception without a cause. */
    public ConnectorException(String message) {
        super(message);
    }

    /** An exception with its cause, which may be null. */
    public ConnectorException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
