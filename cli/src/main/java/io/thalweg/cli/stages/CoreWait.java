// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.stages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * For how long the calling thread was ready and had no core, because others had them. Linux tells it; elsewhere it is not
 * known.
 */
final class CoreWait {
    private static final Path FILE = Path.of("/proc/thread-self/schedstat");

    private final boolean known = read() > 0;

    boolean isKnown() {
        return known;
    }

    /** Nanoseconds since the thread began; always 0 if they are not known. */
    long ns() {
        return known ? Math.max(0, read()) : 0;
    }

    /** Nanoseconds on a core, nanoseconds without one, number of stretches. */
    private static long read() {
        try {
            String[] words = Files.readString(FILE).trim().split(" ");
            return words.length == 3 ? Long.parseLong(words[1]) : -1;
        } catch (IOException | NumberFormatException e) {
            return -1;
        }
    }
}
