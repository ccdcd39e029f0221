// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where standard output and standard error lead. Nothing but text goes into a file or a pipe. */
public final class Terminal {
    private Terminal() {}

    public static boolean isOutput() {
        return leadsToTerminal(1, "thalweg.stdout.tty");
    }

    public static boolean isError() {
        return leadsToTerminal(2, "thalweg.stderr.tty");
    }

    /** Whether text on a terminal may carry colours and styles: see no-color.org. */
    public static boolean isColourWanted() {
        String refused = System.getenv("NO_COLOR");
        return (refused == null || refused.isEmpty()) && !isDumb();
    }

    /**
     * The launcher knows, and says so in a property. Without it Linux tells what the descriptor is; where neither
     * does, text is plain.
     */
    private static boolean leadsToTerminal(int descriptor, String property) {
        String told = System.getProperty(property);
        return !isDumb() && (told == null ? isTerminal(Path.of("/proc/self/fd/" + descriptor)) : told.equals("true"));
    }

    private static boolean isTerminal(Path descriptor) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    private static boolean isDumb() {
        return "dumb".equals(System.getenv("TERM"));
    }
}
