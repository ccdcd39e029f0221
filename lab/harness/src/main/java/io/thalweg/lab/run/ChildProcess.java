// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import io.thalweg.lab.LabException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process that the lab waits for, such as Maven, one at a time. It ends with the lab, even when that is killed: its shell has a pipe from
 * the lab, and ends it when the pipe does. One thread runs them; any may kill.
 */
final class ChildProcess {
    /** Standard input is the tether, which the command does not get. */
    private static final String TETHERED = """
            exec 3<&0 </dev/null
            "$@" 3<&- &
            child=$!
            { read -r _ <&3; kill "$child"; } >/dev/null 2>&1 &
            tether=$!
            exec 3<&-
            wait "$child"
            status=$?
            kill "$tether" 2>/dev/null
            exit "$status"
            """;

    private @Nullable Process running;
    private boolean killed;

    /**
     * Runs a command until it ends.
     *
     * @param log what it prints
     * @return its exit code; empty if it had not ended in time, and was ended
     * @throws LabException if the lab has been told to end
     */
    OptionalInt run(List<String> command, Path directory, Path log, Duration atMost)
            throws IOException, InterruptedException {
        List<String> tethered = new ArrayList<>(List.of("sh", "-c", TETHERED, "sh"));
        tethered.addAll(command);
        Process process = start(new ProcessBuilder(tethered)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile()));
        try {
            return process.waitFor(atMost.toSeconds(), TimeUnit.SECONDS)
                    ? OptionalInt.of(process.exitValue())
                    : OptionalInt.empty();
        } finally {
            end(process);
        }
    }

    private synchronized Process start(ProcessBuilder builder) throws IOException {
        if (killed) {
            throw new LabException("it was interrupted");
        }
        Process process = builder.start();
        running = process;
        return process;
    }

    /** Ends what runs at once, and lets nothing else start. Any thread may call. */
    synchronized void kill() {
        killed = true;
        if (running != null) {
            end(running);
        }
    }

    private static void end(Process process) {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        all.forEach(ProcessHandle::destroyForcibly);
    }
}
