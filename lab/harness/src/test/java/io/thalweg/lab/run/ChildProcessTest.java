// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.lab.LabException;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
final class ChildProcessTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    /** Says by the pipe which process it is, and stays. */
    private static final String STAYS = "echo $$ >\"$0\"; exec tail -f /dev/null";

    @TempDir
    private Path folder;

    private Path pipe;

    @BeforeEach
    void makePipe() throws Exception {
        pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
    }

    private ProcessHandle stays;

    @AfterEach
    void leaveNoProcess() {
        if (stays != null) {
            stays.destroyForcibly();
        }
    }

    @Test
    void shouldSayHowItEnded_andKeepWhatItPrinted() throws Exception {
        ChildProcess child = new ChildProcess();
        Path log = folder.resolve("log");
        assertThat(child.run(List.of("sh", "-c", "cat; pwd; echo no >&2; exit 7"), folder, log, LONG))
                .hasValue(7);
        assertThat(log).hasContent(folder.toRealPath() + "\nno");
        assertThat(child.run(List.of("true"), folder, log, LONG)).hasValue(0);
        assertThat(log).isEmptyFile();
    }

    @Test
    void shouldEndWhatIsNotOverInTime() throws Exception {
        assertThat(new ChildProcess()
                        .run(List.of("tail", "-f", "/dev/null"), folder, folder.resolve("log"), Duration.ZERO))
                .isEmpty();
    }

    /** As by Ctrl-C: what runs ends, and the next one, which another thread is about to start, does not begin. */
    @Test
    void shouldEndWhatRunsWhenTheLabIsToldToEnd_andStartNothingElse() throws Exception {
        ChildProcess child = new ChildProcess();
        Path log = folder.resolve("log");
        CompletableFuture<Integer> code = CompletableFuture.supplyAsync(() -> run(child, log));
        stays = started();

        child.kill();

        assertThat(ended(stays)).isTrue();
        assertThat(code.get(2, TimeUnit.MINUTES)).isNotZero();
        assertThatThrownBy(() -> child.run(List.of("touch", folder + "/made"), folder, log, LONG))
                .isInstanceOf(LabException.class)
                .hasMessage("it was interrupted");
        assertThat(folder.resolve("made")).doesNotExist();
    }

    /** By a signal that no process can do anything about. */
    @Test
    void shouldEndWithALabThatIsKilled() throws Exception {
        Process lab = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Lab.class.getName(),
                        pipe.toString(),
                        folder.resolve("log").toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        stays = started();

        lab.destroyForcibly();

        assertThat(ended(stays)).isTrue();
    }

    /** Runs what stays. */
    public static final class Lab {
        private Lab() {}

        public static void main(String[] arguments) throws Exception {
            new ChildProcess()
                    .run(
                            List.of("sh", "-c", STAYS, arguments[0]),
                            Path.of("").toAbsolutePath(),
                            Path.of(arguments[1]),
                            LONG);
        }
    }

    private int run(ChildProcess child, Path log) {
        try {
            return child.run(List.of("sh", "-c", STAYS, pipe.toString()), folder, log, LONG)
                    .orElseThrow();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** What has said by the pipe that it runs. */
    private ProcessHandle started() {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(Files.newInputStream(pipe), StandardCharsets.UTF_8))) {
            return ProcessHandle.of(Long.parseLong(reader.readLine())).orElseThrow();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean ended(ProcessHandle process) throws Exception {
        process.onExit().get(2, TimeUnit.MINUTES);
        return !process.isAlive();
    }
}
