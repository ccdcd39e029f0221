// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.thalweg.cli.Cli.Outcome;
import io.thalweg.doctor.ObservationFile;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.testkit.FreePort;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Tag("integration")
final class DoctorCommandTest {
    private static final String ENDLESS = """
            topology.from(Sources.generate(Long.MAX_VALUE / 4, i -> i).splitInto(2))
                    .map(i -> { java.util.concurrent.locks.LockSupport.parkNanos(2_000_000); return i; })
                    .name("lookup")
                    .to(Sinks.discard());
            """;

    private static final String PACED =
            "topology.from(Sources.generate(500, i -> i).rate(500)).map(i -> 2 * i).to(Sinks.print());";

    @TempDir
    Path folder;

    private Cli cli;

    @BeforeEach
    void openFolder() {
        cli = new Cli(folder);
    }

    private Observation observed(String file) throws Exception {
        return ObservationFile.read(Files.readAllBytes(folder.resolve(file)));
    }

    private List<String> names() throws Exception {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    @Test
    void shouldStopAJobAfterTheGivenTimeAndSayWhatIsWrong() throws Exception {
        cli.job("Endless", ENDLESS);

        Outcome run = cli.run("doctor", "Endless.java", "--for", "6s", "--json", "found.json");

        assertThat(run.code()).as(run.error()).isZero();
        assertThat(run.out()).startsWith("Doctor: Endless\n").contains(". blocking-call in 'lookup'");
        assertThat(run.error()).contains("Endless cancelled");
        assertThat(observed("found.json").operators())
                .anySatisfy(operator -> assertThat(operator.operator()).isEqualTo("lookup"));
        Outcome again = cli.run("doctor", "found.json");
        assertThat(again).isEqualTo(new Outcome(0, run.out(), ""));
        String text = Files.readString(folder.resolve("found.json"));
        assertThat(cli.runOn(text, "doctor", "-")).isEqualTo(again);
        assertThat(cli.run("doctor", "found.json", "--json", "-").out()).isEqualTo(text);
        Outcome whatIf = cli.run("doctor", "found.json", "--what-if", "lookup=8", "--json", "what.json");
        assertThat(whatIf.out()).startsWith(run.out()).contains("  what if lookup: ", "     rate ", "     limit ");
        assertThat(Files.readString(folder.resolve("what.json"))).contains("\"predictedThroughput\"");
        assertThat(cli.run("doctor", "what.json").out()).isEqualTo(run.out());
        Outcome page = cli.run("doctor", "found.json", "--html", "found.html");
        assertThat(page.out()).isEqualTo(run.out());
        assertThat(Files.readString(folder.resolve("found.html")))
                .startsWith("<!DOCTYPE html>")
                .contains("blocking-call");
        assertThat(cli.run("doctor", "found.json", "--html", "-").out()).startsWith("<!DOCTYPE html>");
        cli.write("sent.json", text.replace("\"Endless\"", "\"Red\\u001b[31m\""));
        assertThat(cli.run("doctor", "sent.json").out()).startsWith("Doctor: Red\\u001b[31m\n");
    }

    /** As from a command that fetches it from another machine. */
    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldReadAPipe_andSayThatADirectoryIsNone() throws Exception {
        Files.createDirectory(folder.resolve("made.json"));
        refuses(ExitCodes.USAGE, "made.json is a directory, and no observation", "doctor", "made.json");
        cli.write("old.json", "{\"version\":9}");
        Process cat = new ProcessBuilder("sh", "-c", "mkfifo pipe.json && echo made && cat old.json >pipe.json")
                .directory(folder.toFile())
                .start();
        try {
            assertThat(cat.inputReader().readLine()).isEqualTo("made");
            refuses(ExitCodes.FAILED, "pipe.json cannot be judged: it is of version 9", "doctor", "pipe.json");
            assertThat(cat.waitFor()).isZero();
        } finally {
            cat.destroyForcibly();
        }
    }

    @Test
    void shouldJudgeAJobThatEndsBefore() throws Exception {
        cli.job("Paced", PACED);

        Outcome run = cli.run("doctor", "Paced.java", "--quiet", "--for", "1h");

        assertThat(run.code()).isZero();
        assertThat(run.outLines()).startsWith("0", "2").contains("998", "Doctor: Paced");
        assertThat(run.error()).isEmpty();
    }

    @Test
    void shouldTellBesideARunWithoutMixingWithItsResults() throws Exception {
        cli.job("Paced", PACED);

        Outcome run = cli.run("run", "Paced.java", "--doctor", "--json", "found.json");

        assertThat(run.code()).isZero();
        assertThat(run.outLines()).hasSize(500);
        assertThat(run.error()).containsPattern("Doctor: Paced\n  \\S");
        assertThat(observed("found.json").spans()).isNotEmpty();
    }

    @Test
    void shouldLeaveNoRecordingBehind_norThatOfARunThatWasKilled() throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("temporary files"));
        cli.withJava("-Djava.io.tmpdir=" + temporary);
        cli.job("Paced", PACED);
        cli.job("Endless", """
                topology.from(Sources.generate(Long.MAX_VALUE / 4, i -> i).rate(10)).to(Sinks.print());
                """);
        Process run = cli.start("run", "Endless.java", "--doctor");
        try {
            assertThat(Cli.lines(run.getInputStream()).readLine()).isEqualTo("0");
        } finally {
            cli.destroy();
        }
        assertThat(recordings(temporary)).as("of the one that was killed").isNotEmpty();

        assertThat(cli.run("run", "Paced.java", "--doctor").code()).isZero();

        assertThat(recordings(temporary)).isEmpty();
        assertThat(temporary).isDirectoryNotContaining("glob:**doctor*");
    }

    /** What the flight recorder writes, in whatever folder. */
    private static List<Path> recordings(Path temporary) throws IOException {
        try (var all = Files.walk(temporary)) {
            return all.filter(each -> each.toString().endsWith(".jfr")).toList();
        }
    }

    @Test
    void shouldTellWhatItSawOfAJobThatFails() throws Exception {
        cli.job("Fails", """
                topology.from(Sources.generate(500, i -> i).rate(500))
                        .map(i -> 100 / (400 - i)).name("divide").to(Sinks.discard());
                """);

        Outcome run = cli.run("doctor", "Fails.java", "--json", "found.json");

        assertThat(run.code()).isEqualTo(ExitCodes.FAILED);
        assertThat(run.errorLines()).hasSize(1).first().asString().contains("operator 'divide'");
        assertThat(run.out())
                .startsWith("Doctor: Fails\n")
                .contains("  1. failure in 'divide': the job failed: ")
                .doesNotContain("nothing to change");
        assertThat(observed("found.json").state()).hasToString("FAILED");
        assertThat(observed("found.json").failure()).contains("operator 'divide'");
        assertThat(cli.run("doctor", "found.json").out()).isEqualTo(run.out());
    }

    @Test
    void shouldRefuseInOneLine() throws Exception {
        cli.job("Paced", PACED);
        cli.write("old.json", "{\"version\":9}");
        cli.write("cut.json", "{\"version\":1,");

        Path large = folder.resolve("large.json");
        try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
            file.setLength(3L << 30); // and takes no place
        }
        refuses(ExitCodes.FAILED, "out of memory", "doctor", "large.json");
        Files.delete(large);
        refuses(ExitCodes.FAILED, "old.json cannot be judged: it is of version 9", "doctor", "old.json");
        refuses(ExitCodes.FAILED, "cut.json cannot be judged: it is not JSON", "doctor", "cut.json");
        refuses(ExitCodes.FAILED, "standard input cannot be judged", "doctor", "-");
        refuses(ExitCodes.USAGE, "there is no file none.json", "doctor", "none.json");
        refuses(ExitCodes.USAGE, "--for is for a job", "doctor", "old.json", "--for", "5s");
        refuses(ExitCodes.USAGE, "--what-if: it takes NAME=VALUE", "doctor", "old.json", "--what-if", "map");
        refuses(ExitCodes.USAGE, "--for takes a number", "doctor", "Paced.java", "--for", "soon");
        refuses(ExitCodes.USAGE, "used by this command already", "doctor", "old.json", "--json", "./old.json");
        refuses(ExitCodes.USAGE, "used by this command already", "doctor", "Paced.java", "--json", "-", "--stats", "-");
        refuses(ExitCodes.USAGE, "used by this command already", "doctor", "old.json", "--json", "x", "--html", "./x");
        refuses(ExitCodes.FAILED, "--html: . is a directory", "doctor", "old.json", "--html", ".");
        refuses(ExitCodes.USAGE, "--json is for --doctor", "run", "Paced.java", "--json", "x.json");
        refuses(ExitCodes.FAILED, "there is no directory", "doctor", "Paced.java", "--json", "none/x.json");
        assertThat(names()).containsExactlyInAnyOrder("Paced.java", "old.json", "cut.json");
        refuses(ExitCodes.USAGE, "did you mean map?", "doctor", "Paced.java", "--what-if", "mapp=2");
    }

    /** Nobody can read a process's memory from its beginning. */
    @Test
    void shouldSayThatAFileCannotBeRead() throws Exception {
        Path memory = Path.of("/proc/self/mem");
        assumeTrue(Files.isRegularFile(memory), "there is no such file here");
        Files.createSymbolicLink(folder.resolve("mem.json"), memory);

        refuses(ExitCodes.FAILED, "thalweg: mem.json cannot be read: ", "doctor", "mem.json");
    }

    private void refuses(int code, String message, String... arguments) throws Exception {
        Outcome run = cli.run(arguments);

        assertThat(run.errorLines())
                .as(String.join(" ", arguments))
                .hasSize(1)
                .first()
                .asString()
                .contains(message);
        assertThat(run.out()).isEmpty();
        assertThat(run.code()).isEqualTo(code);
    }

    @Test
    void shouldTellWhatItSawWhereNothingCanBePredicted() throws Exception {
        cli.write("empty.txt", "");
        cli.job("Silent", """
                topology.from(io.thalweg.files.TextLines.follow("empty.txt")).to(Sinks.discard());
                """);

        Outcome run = cli.run("doctor", "Silent.java", "--for", "1s", "--what-if", "threads=2", "--json", "seen.json");

        assertThat(run.code()).isEqualTo(ExitCodes.FAILED);
        assertThat(run.out()).startsWith("Doctor: Silent\n");
        assertThat(run.errorLines()).last().asString().contains("--what-if: no record was read");
        Outcome file = cli.run("doctor", "seen.json", "--what-if", "threads=2");
        assertThat(file.code()).isEqualTo(ExitCodes.FAILED);
        assertThat(file.out()).as("the diagnosis comes first").startsWith("Doctor: Silent\n");
        assertThat(file.errorLines()).singleElement().asString().contains("--what-if: no record was read");
        assertThat(observed("seen.json").spans()).isNotEmpty();
    }

    @Test
    void shouldKeepTheResultsOfAJobThatIsTooShortToBeJudged() throws Exception {
        cli.job("Short", "topology.from(Sources.of(17L)).to(Sinks.print());");

        Outcome run = cli.run("run", "Short.java", "--doctor", "--stats", "stats.json");

        assertThat(run.outLines()).containsExactly("17");
        assertThat(run.error()).startsWith("Short finished");
        assertThat(folder.resolve("stats.json")).exists();
        if (run.code() != 0) { // otherwise the machine was so slow that there was something to see
            assertThat(run.code()).isEqualTo(ExitCodes.FAILED);
            assertThat(run.errorLines()).last().asString().contains("the doctor saw nothing");
        }
    }

    @Test
    void shouldSayInOneLineWhyNoClusterCanBeObserved() throws Exception {
        int closed = FreePort.find();
        refuses(
                ExitCodes.FAILED,
                "connection refused; HOST:PORT is the REST port",
                "doctor",
                "flink=127.0.0.1:" + closed);
        refuses(ExitCodes.FAILED, "there is no host of this name: no.invalid:8081", "doctor", "flink=no.invalid:8081");
        refuses(ExitCodes.USAGE, "a job of Flink is flink=HOST:PORT or flink=HOST:PORT/JOB", "doctor", "flink=8081");
        refuses(ExitCodes.USAGE, "a job of Flink is flink=HOST:PORT", "doctor", "flink=localhost:65536");
        refuses(ExitCodes.USAGE, "--threads is for a job of this process", "doctor", "flink=h:1", "--threads", "2");

        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        other.createContext("/jobs/overview", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write("<html>".getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });
        other.start();
        String address = "flink=127.0.0.1:" + other.getAddress().getPort();
        refuses(ExitCodes.FAILED, "does not answer as Flink's REST API does: what is at", "doctor", address);
        other.stop(0);
    }
}
