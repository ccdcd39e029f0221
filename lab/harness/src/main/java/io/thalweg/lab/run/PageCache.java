// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Drops a file from the page cache of Linux, and asks whether it is gone. Needs {@code dd} of coreutils, and {@code fincore} of util-linux. */
final class PageCache {
    private PageCache() {}

    /** The file, or a part of it, is still in memory, or nobody can say. */
    static final class NotDroppedException extends Exception {
        private static final long serialVersionUID = 1L;

        NotDroppedException(String why) {
            super("the page cache cannot be dropped here: " + why);
        }
    }

    static void drop(Path file) throws NotDroppedException, IOException {
        output(List.of("dd", "if=" + file, "iflag=nocache", "count=0"));
        String resident = output(List.of("fincore", "--bytes", "--noheadings", "--output", "RES", file.toString()));
        try {
            if (Long.parseLong(resident) > Files.size(file) / 20) {
                throw new NotDroppedException(resident + " bytes of " + file.getFileName() + " are still in memory");
            }
        } catch (NumberFormatException e) {
            throw new NotDroppedException("fincore says '" + resident + "'");
        }
    }

    private static String output(List<String> command) throws NotDroppedException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (process.waitFor() != 0) {
                throw new NotDroppedException(command.get(0) + " says '" + output + "'");
            }
            return output;
        } catch (IOException e) {
            throw new NotDroppedException(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotDroppedException("interrupted");
        }
    }
}
