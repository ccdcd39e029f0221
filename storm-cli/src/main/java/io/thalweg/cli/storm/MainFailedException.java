// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

/** The main of a jar threw an exception. */
final class MainFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MainFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
