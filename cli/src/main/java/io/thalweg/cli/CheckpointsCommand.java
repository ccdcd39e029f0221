// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.engine.SavedCheckpoint;
import io.thalweg.run.PlainText;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code thalweg checkpoints DIR}: what a job could continue from. */
@Command(
        name = "checkpoints",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        usageHelpAutoWidth = true,
        description = "Lists the checkpoints in a directory, and says which are damaged.",
        subcommands = VerifyCommand.class,
        footer = {"", "Exit codes: 0 at least one is intact, 1 none is, 2 the command line is wrong."})
final class CheckpointsCommand implements Callable<Integer> {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

    @Parameters(arity = "0..1", paramLabel = "DIR", description = "the directory given with --checkpoint-dir")
    private Path directory = Path.of("");

    @Override
    public Integer call() {
        try {
            return list(System.out);
        } catch (IOException | RuntimeException e) {
            return Failures.report(e);
        }
    }

    private int list(PrintStream out) throws IOException {
        if (directory.toString().isEmpty()) {
            throw new UsageException("which directory? thalweg checkpoints DIR");
        }
        int whole = 0;
        for (SavedCheckpoint each : all(directory)) {
            if (each.stats() == null) {
                out.println(PlainText.line(each.path().getFileName() + "  damaged: " + each.damage()));
            } else {
                whole++;
                print(each.stats(), each, out);
            }
        }
        return whole > 0 ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    /**
     * The checkpoints in a directory, at least one.
     *
     * @throws UsageException if there is no directory
     * @throws ConnectorException if it has none
     */
    static List<SavedCheckpoint> all(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            throw new UsageException("there is no directory " + directory);
        }
        List<SavedCheckpoint> all = SavedCheckpoint.in(directory);
        if (all.isEmpty()) {
            throw new ConnectorException(
                    "no checkpoints in " + directory + "; DIR is what --checkpoint-dir was when the job ran");
        }
        return all;
    }

    private static void print(CheckpointStats info, SavedCheckpoint of, PrintStream out) {
        out.printf(
                Locale.ROOT,
                "%s  %s  %s  took %,d ms, longest alignment %,d ms, longest pause %,d ms  %,d bytes%s%n",
                of.path().getFileName(),
                PlainText.line(info.topology()),
                TIME.format(Instant.ofEpochMilli(info.beganMs())),
                info.tookMs(),
                info.alignedMs(),
                info.pausedMs(),
                of.bytes(),
                info.last() ? "  (at the end of the input)" : "");
        for (CheckpointStats.StateSize state : info.states()) {
            if (state.bytes() > 0) {
                String name = state.operator() + ": " + state.name();
                out.printf(Locale.ROOT, "  %-40s %,16d bytes%n", PlainText.line(name), state.bytes());
                String format = of.formats().getOrDefault(name, "");
                if (!format.isEmpty() && !format.equals(state.name())) {
                    out.println(PlainText.line("      " + format));
                }
                String operator = of.formats().getOrDefault(state.operator(), "");
                if (operator.endsWith("without a name of its own")) {
                    out.println(PlainText.line("      operator: " + operator));
                }
            }
        }
    }
}
