// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.cli.control.LocalJob;
import io.thalweg.run.PlainText;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code thalweg savepoint JOB}: a checkpoint now, which the job does not remove. */
@Command(
        name = "savepoint",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        usageHelpAutoWidth = true,
        description = {
            "Takes a checkpoint of a job that runs on this machine, keeps it and prints its path.",
            "thalweg run --restore PATH starts a job from it. The job itself continues."
        },
        footer = {"", "Exit codes: 0 taken, 1 it cannot be taken, or there is no such job, 2 the command line is wrong."
        })
final class SavepointCommand implements Callable<Integer> {
    @Parameters(
            index = "0",
            paramLabel = "JOB",
            description = "the id that thalweg jobs prints, or the topology's name")
    private String job = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "DIR",
            description = "where to keep it; default: the job's --checkpoint-dir")
    private @Nullable Path directory;

    @Override
    public Integer call() {
        try {
            String to = directory == null ? "" : absolute(directory).toString();
            if (to.chars().anyMatch(Character::isISOControl)) {
                throw new UsageException("DIR contains a control character: " + to);
            }
            System.out.println(PlainText.line(LocalJob.find(job, LocalJob.all()).savepoint(to)));
            return ExitCodes.DONE;
        } catch (RuntimeException e) {
            return Failures.report(e);
        }
    }

    /** Behind a link, {@code ..} is the parent of what it leads to, which the system knows. */
    static Path absolute(Path directory) {
        Path absolute = directory.toAbsolutePath();
        for (Path name : absolute) {
            if (name.toString().equals("..")) {
                return absolute;
            }
        }
        return absolute.normalize();
    }
}
