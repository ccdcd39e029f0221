// SPDX-License-Identifier: Apache-2.0
package io.thalweg.broker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What a broker has printed, without the places of stack traces: mostly why it does not run. */
record BrokerLog(Path file) {
    /** Where there is less, a broker that ends mostly cannot say why. */
    private static final long LEAST_SPACE_BYTES = 64 * 1024;

    private static final int LAST_LINES = 3;

    String lastLine() throws IOException {
        List<String> lines = lines();
        if (!lines.isEmpty()) {
            return lines.get(lines.size() - 1);
        }
        boolean full = Files.getFileStore(file).getUsableSpace() < LEAST_SPACE_BYTES;
        return full ? "No space left on device for " + file.getParent() : "it printed nothing";
    }

    /** The last ones, for one line of an error. */
    String end() throws IOException {
        List<String> lines = lines();
        return lines.isEmpty()
                ? lastLine()
                : String.join(" | ", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    }

    /** Bytes that are no text are no reason to say nothing: the locale decides how a broker writes the names of folders. */
    private List<String> lines() throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("\tat "))
                .map(String::strip)
                .toList();
    }
}
