// SPDX-License-Identifier: Apache-2.0
package io.thalweg.job;

/** A job whose own code failed while it described its topology. */
public final class DefinitionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param definition the class whose line is told */
    DefinitionException(Class<?> definition, Throwable cause) {
        super(
                definition.getSimpleName() + " failed to define its topology" + place(definition, cause) + ": " + cause,
                cause);
    }

    private static String place(Class<?> definition, Throwable cause) {
        for (StackTraceElement frame : cause.getStackTrace()) {
            if (frame.getClassName().equals(definition.getName()) && frame.getFileName() != null) {
                return " at " + frame.getFileName() + ":" + frame.getLineNumber();
            }
        }
        return "";
    }
}
