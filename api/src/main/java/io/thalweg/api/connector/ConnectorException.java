// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import org.jspecify.annotations.Nullable;

/** An input or output that cannot be used; the message is one line for the user and says which and why. */
public final class ConnectorException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ConnectorException(String message) {
        super(message);
    }

    public ConnectorException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
