// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab;

/** Something the user can mend: the message says where and what, in one line. */
public final class LabException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public LabException(String message) {
        super(message);
    }

    public LabException(String message, Throwable cause) {
        super(message, cause);
    }
}
