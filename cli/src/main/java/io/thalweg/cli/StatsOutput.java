// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.WriteTarget;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.stats.JobStats;
import io.thalweg.cli.report.StatsFile;
import io.thalweg.files.input.ByteInput;
import io.thalweg.run.OutputRules;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where {@code --stats} leads. */
final class StatsOutput {
    private static final String STDOUT = "-";

    private final String target;

    private StatsOutput(String target) {
        this.target = target;
    }

    /** @param others files of the same command, which it must not overwrite; null for none */
    static StatsOutput checked(String target, List<@Nullable String> others) {
        check("--stats", target, others);
        return new StatsOutput(target);
    }

    /** @throws TopologyException if the job reads the file, or writes its results there */
    void check(TopologyGraph graph) {
        check("--stats", target, graph);
    }

    /** The same for the file of any option. */
    static void check(String option, String target, TopologyGraph graph) {
        Path file = Path.of(target);
        if (!target.equals(STDOUT) && (!Files.exists(file) || Files.isRegularFile(file))) {
            OutputRules.check(graph, new WriteTarget.File(file), option, option);
        }
    }

    /**
     * @param others files of the same command, which it must not overwrite; null for none
     * @throws ConnectorException if the file could not be written: better known before a long run than after it
     * @throws UsageException if it is one of the others
     */
    static void check(String option, String target, List<@Nullable String> others) {
        Path file = Path.of(target);
        Path folder = WriteTarget.real(file).getParent();
        if (!target.equals(STDOUT)) {
            if (FileOption.isMissingDirectory(target)) {
                throw new ConnectorException(option + ": " + FileOption.missing(target));
            }
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
        checkIsNone(option, target, others);
    }

    /**
     * Checks only that it is none of the others.
     *
     * @throws UsageException if it is
     */
    static void checkIsNone(String option, String target, List<@Nullable String> others) {
        for (String other : others) {
            if (other != null && isSame(target, other)) {
                throw new UsageException(option + ": " + target + " is used by this command already");
            }
        }
    }

    private static boolean isSame(String one, String other) {
        if (one.equals(STDOUT) || other.equals(STDOUT)) {
            return one.equals(other);
        }
        Path first = Path.of(one);
        if (Files.exists(first) && !Files.isRegularFile(first) && !Files.isDirectory(first)) {
            return false; // a device, or a pipe with one reader: nothing is replaced there
        }
        return new WriteTarget.File(first).has(Path.of(other));
    }

    void write(JobStats stats, PrintStream results) {
        String text = StatsFile.json(stats);
        if (target.equals(STDOUT)) {
            results.print(text);
            return;
        }
        try {
            Files.writeString(Path.of(target), text);
        } catch (IOException e) {
            throw new ConnectorException("--stats: " + target + " cannot be written: " + ByteInput.reason(e), e);
        }
    }
}
