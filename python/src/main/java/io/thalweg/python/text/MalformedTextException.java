// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python.text;

/** Bytes that came as a text are no UTF-8. The message says so, and where they are. */
public final class MalformedTextException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedTextException(String message) {
        super(message, null, false, false);
    }

    /** The same with a place in front, such as a column. */
    public MalformedTextException in(String place) {
        return new MalformedTextException(place + ": " + getMessage());
    }
}
