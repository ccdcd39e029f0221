// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.engine.SavedCheckpoint;
import io.thalweg.files.output.SavedFiles;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code thalweg checkpoints verify DIR}: whether a job could continue, with the outputs that are there. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        usageHelpAutoWidth = true,
        description = {
            "Verifies each checkpoint in a directory and the output files that it needs, and says what is wrong.",
            "Run it while no job writes there."
        },
        footer = {
            "",
            "Exit codes: 0 everything is intact, 1 something is missing or changed, 2 the command line is wrong."
        })
final class VerifyCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "the directory given with --checkpoint-dir")
    private Path directory = Path.of("");

    @Override
    public Integer call() {
        try {
            return verify(System.out);
        } catch (IOException | RuntimeException e) {
            return Failures.report(e);
        }
    }

    private int verify(PrintStream out) throws IOException {
        boolean good = true;
        for (SavedCheckpoint each : CheckpointsCommand.all(directory)) {
            List<String> problems = problems(each);
            good &= problems.isEmpty();
            String name = String.valueOf(each.path().getFileName());
            if (problems.isEmpty()) {
                out.println(name + "  intact");
            }
            problems.forEach(problem -> out.println(name + "  " + problem));
        }
        return good ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    private static List<String> problems(SavedCheckpoint checkpoint) throws IOException {
        if (checkpoint.damage() != null) {
            return List.of("damaged: " + checkpoint.damage());
        }
        List<String> problems = new ArrayList<>();
        for (SavedCheckpoint.Written written : checkpoint.written()) {
            for (byte[] task : written.tasks()) {
                for (String problem : SavedFiles.problems(task)) {
                    problems.add("operator '" + written.operator() + "': " + problem);
                }
            }
        }
        return problems;
    }
}
