// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

/** A text that is no schema; the message says which and why. */
final class InvalidSchemaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InvalidSchemaException(String message) {
        super(message);
    }
}
