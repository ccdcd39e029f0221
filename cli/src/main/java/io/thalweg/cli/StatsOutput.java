// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.stats.JobStats;
import io.thalweg.cli.report.StatsFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where {@code --stats} leads. */
final class StatsOutput {
    private final String target;

    private StatsOutput(String target) {
        this.target = target;
    }

    static StatsOutput checked(String target) {
        check("--stats", target);
        return new StatsOutput(target);
    }

    /** @throws ConnectorException if the file could not be written: better known before a long run than after it */
    static void check(String option, String target) {
        Path file = Path.of(target);
        Path folder = file.toAbsolutePath().getParent();
        if (!target.equals("-")) {
            if (Files.isDirectory(file)) {
                throw new ConnectorException(option + ": " + target + " is a directory");
            }
            if (folder == null || !Files.isDirectory(folder)) {
                throw new ConnectorException(
                        option + ": there is no directory " + folder + " to write " + target + " in");
            }
            if (!Files.isWritable(Files.exists(file) ? file : folder)) {
                throw new ConnectorException(option + ": " + target + " cannot be written");
            }
        }
    }

    void write(JobStats stats, PrintStream results) {
        String text = StatsFile.json(stats);
        if (target.equals("-")) {
            results.print(text);
            return;
        }
        try {
            Files.writeString(Path.of(target), text);
        } catch (IOException e) {
            throw new ConnectorException("--stats: " + target + " cannot be written: " + e.getMessage(), e);
        }
    }
}
