// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python.text;

/** A text contains half a surrogate pair, so it cannot be sent as UTF-8. The message says so, and where the text is. */
public final class HalfPairException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    HalfPairException() {
        this("the text contains half a surrogate pair, which UTF-8 cannot encode");
    }

    private HalfPairException(String message) {
        super(message, null, false, false);
    }

    /** The same with a place in front, such as a field. */
    public HalfPairException in(String place) {
        return new HalfPairException(place + ": " + getMessage());
    }
}
