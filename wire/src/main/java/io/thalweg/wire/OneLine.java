// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

/** What a library says, in one line of bounded length. */
final class OneLine {
    private static final int LONGEST = 300;

    private OneLine() {}

    static String of(Throwable thrown) {
        String message = thrown.getMessage();
        return of(message == null || message.isBlank() ? thrown.getClass().getSimpleName() : message);
    }

    static String of(String text) {
        String line = text.replaceAll("\\s+", " ").strip();
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
    }
}
