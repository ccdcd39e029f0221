// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.csv;

/** What stands between fields. */
public final class Delimiter {
    private Delimiter() {}

    /** @throws IllegalArgumentException if fields could not be told apart */
    public static char check(char delimiter) {
        if (delimiter >= 0x80 || delimiter == '"' || delimiter == '\n' || delimiter == '\r' || delimiter == 0) {
            throw new IllegalArgumentException(
                    "the delimiter must be a character of ASCII, neither a quote nor a line break");
        }
        return delimiter;
    }
}
