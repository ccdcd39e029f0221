// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

/** A command line that asks for what cannot be; the message is one line for the user. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }
}
