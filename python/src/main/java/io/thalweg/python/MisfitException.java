// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

/** A value from Python that is not of the type that Java asks for. Its message goes on from the function's name. */
final class MisfitException extends Exception {
    private static final long serialVersionUID = 1L;

    MisfitException(String message) {
        super(message, null, false, false);
    }

    static MisfitException in(String place, MisfitException inner) {
        return new MisfitException(place + ": " + inner.getMessage());
    }
}
