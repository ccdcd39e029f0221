// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The script {@code thalweg} in an installation of its own, with a Java and a Maven wrapper that are scripts, too: Java says what it
 * was asked to run, and the wrapper makes the jars.
 */
final class LauncherTest {
    /** What every job has that is not for latency. */
    private static final String COMPILER = """
            -XX:Tier4InvocationThreshold=25000
            -XX:Tier4MinInvocationThreshold=3000
            -XX:Tier4CompileThreshold=75000
            -XX:Tier4BackEdgeThreshold=200000
            """;

    private static final Path SCRIPT = Path.of("..", "thalweg").toAbsolutePath().normalize();

    /** Writes a class archive as Java does, and else prints its arguments, one a line. */
    private static final String JAVA = """
            #!/bin/sh
            for argument in "$@"; do
              case $argument in -XX:ArchiveClassesAtExit=*) echo archive >"${argument#*=}"; exit ;; esac
            done
            printf '%s\\n' "$@"
            """;

    /** Counts how often it was called, and how many of it run at once; those that run are links. Maven leaves folders of its own there. */
    private static final String BUILD = """
            #!/bin/sh
            mkdir -p ../made
            ln -s build ../made/running || echo twice >>../made/conflicts
            echo "HOME=$HOME" >>../made/builds
            mkdir -p cli/target/fast/dist/lib cli/target/fast/maven-archiver cli/target/fast/maven-status
            echo jar >cli/target/fast/dist/lib/thalweg-cli.jar
            rm ../made/running
            """;

    @TempDir
    private Path folder;

    private Path home;
    private Path work;
    private final List<Process> started = new ArrayList<>();

    private record Outcome(int code, String out, String error) {}

    @BeforeEach
    void install() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "a shell is needed");
        home = Files.createDirectories(folder.resolve("a place with spaces"));
        work = home.resolve("cli/target/fast");
        executable(home.resolve("thalweg"), Files.readString(SCRIPT));
        executable(home.resolve("mvnw"), BUILD);
        Path functions = Path.of("cli/src/main/sh/build.sh");
        Files.createDirectories(home.resolve(functions).getParent());
        Files.copy(SCRIPT.resolveSibling(functions), home.resolve(functions));
        Files.writeString(home.resolve("pom.xml"), "");
        Files.writeString(home.resolve("cli/pom.xml"), "");
        Path java = Files.createDirectories(folder.resolve("jdk/bin"));
        executable(java.resolve("java"), JAVA);
        executable(java.resolve("javac"), JAVA);
        Files.writeString(
                folder.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\nJAVA_RUNTIME_VERSION=\"17.0.1+9\"\n");
    }

    @AfterEach
    void leaveNothingRunning() {
        started.forEach(Process::destroyForcibly);
    }

    /** In place of what there was, which a shell may still read: it reads a script while it runs it. */
    private static void executable(Path file, String text) throws IOException {
        Path written = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), text);
        Files.setPosixFilePermissions(written, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** With these variables besides; an empty one is unset. */
    private Process start(Map<String, String> environment, String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("THALWEG") || name.startsWith("JAVA"));
        builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        builder.environment().putAll(environment);
        builder.environment().values().removeIf(String::isEmpty);
        Process process = builder.start();
        started.add(process);
        process.getOutputStream().close();
        return process;
    }

    private static Outcome end(Process process) throws Exception {
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String error = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(Cli.end(process), out, error);
    }

    private Outcome thalweg(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(home.resolve("thalweg").toString()));
        command.addAll(List.of(arguments));
        return end(start(Map.of(), command.toArray(String[]::new)));
    }

    private Outcome thalweg(Map<String, String> environment, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(home.resolve("thalweg").toString()));
        command.addAll(List.of(arguments));
        return end(start(environment, command.toArray(String[]::new)));
    }

    /** Runs it where nothing can be written below its home, not even by root. */
    private Outcome readOnly(String... arguments) throws Exception {
        String mount = "mount --bind \"$1\" \"$1\" && mount -o remount,bind,ro \"$1\" && ";
        Process probe = start(
                Map.of(), "unshare", "--mount", "--map-root-user", "sh", "-c", mount + "true", "sh", home.toString());
        assumeTrue(end(probe).code() == 0, "nothing can be mounted here");
        String run = mount + "cd / && \"$1/thalweg\" " + String.join(" ", arguments);
        return end(start(Map.of(), "unshare", "--mount", "--map-root-user", "sh", "-c", run, "sh", home.toString()));
    }

    private String commandLine(String... arguments) {
        return COMPILER + "-Dthalweg.home=" + home + "\n-Dthalweg.parts=" + home + "\n-cp\n"
                + work.resolve("dist/lib/thalweg-cli.jar") + "\nio.thalweg.cli.Main\n" + String.join("\n", arguments)
                + "\n";
    }

    private List<String> builds() throws IOException {
        assertThat(folder.resolve("made/conflicts"))
                .as("builds beside each other")
                .doesNotExist();
        return Files.readAllLines(folder.resolve("made/builds"));
    }

    @Test
    void shouldStartJavaAsAFileOfSettingsSays() throws Exception {
        Path file = Files.writeString(
                folder.resolve("job.yaml"),
                "threads: 2\nheap: 2g  # more: x\r\noperators:\n  heap: 3g\ncollector: parallel");
        String launcher = home.resolve("thalweg").toString();

        assertThat(thalweg("run", "Job.java", "--tuned", file.toString()).out().lines())
                .contains("-Xmx2g", "-XX:+UseParallelGC")
                .doesNotContain("-Xmx3g");
        Outcome own = end(start(
                Map.of("THALWEG_OPTS", "-Xmx1g -XX:+UseSerialGC"), launcher, "run", "Job.java", "--tuned=" + file));
        assertThat(own.out().lines()).contains("-Xmx1g").doesNotContain("-Xmx2g", "-XX:+UseParallelGC");
        Outcome other = thalweg(
                Map.of("THALWEG_OPTS", "-XX:MaxHeapSize=1g -XX:MaxGCPauseMillis=50"),
                "run",
                "Job.java",
                "--tuned=" + file);
        assertThat(other.out().lines()).contains("-XX:+UseParallelGC").doesNotContain("-Xmx2g");
        Outcome both = thalweg("run", "Job.java", "--jvm=latency", "--tuned=" + file);
        assertThat(both.out().lines()).contains("-Xmx2g", "-XX:+UseZGC").doesNotContain("-XX:+UseParallelGC");
        Outcome small = thalweg("run", "Job.java", "--jvm=throughput", "--tuned=" + file);
        assertThat(small.out().lines())
                .as("128 MB may be more than the heap of the file")
                .contains("-Xmx2g", "-Dthalweg.jvm=throughput")
                .doesNotContain("-XX:MaxNewSize=128m", "-XX:NewSize=128m");
        for (String wrong :
                List.of("heap: $(touch broken)\ncollector: -version\n", "heap: 0m", "heap: 5mm", "heap: m")) {
            Files.writeString(file, wrong);
            assertThat(thalweg("run", "Job.java", "--tuned", file.toString())
                            .out()
                            .lines())
                    .as(wrong)
                    .noneMatch(line -> line.startsWith("-Xmx") || line.startsWith("-XX:+Use"));
        }
        assertThat(folder.resolve("broken")).doesNotExist();
        assertThat(thalweg("run", "Job.java", "--tuned", "none.yaml").code())
                .isZero(); // Java says that it is not there
    }

    @Test
    void shouldSetJavaUpAsAsked_butForWhatTheUserSetsHimself() throws Exception {
        assertThat(thalweg("run", "Job.java", "--jvm", "throughput").out().lines())
                .contains(
                        "-XX:+UseParallelGC",
                        "-XX:MaxRAMPercentage=50",
                        "-XX:MaxNewSize=128m",
                        "-Dthalweg.jvm=throughput");
        assertThat(thalweg("run", "--jvm=latency", "Job.java").out().lines())
                .contains("-XX:+UseZGC", "-XX:MaxRAMPercentage=50", "-Dthalweg.jvm=latency")
                .doesNotContain("-XX:+ZGenerational")
                .noneMatch(option -> option.startsWith("-XX:Tier4"));
        assertThat(thalweg("run", "Job.java").out())
                .contains("-XX:Tier4InvocationThreshold=25000")
                .doesNotContain("-XX:+Use", "MaxRAMPercentage", "thalweg.jvm");
        assertThat(thalweg("stages", "--jvm", "latency").out()).doesNotContain("-XX:+Use");
        assertThat(thalweg("run", "--jvm", "fast").out()).doesNotContain("-XX:+Use", "-Dthalweg.jvm");

        Outcome own =
                thalweg(Map.of("THALWEG_OPTS", "-Xmx3g -XX:+UseSerialGC"), "run", "Job.java", "--jvm", "throughput");
        List<String> options = own.out().lines().toList();
        assertThat(options)
                .contains("-XX:+UseSerialGC")
                .doesNotContain("-XX:+UseParallelGC", "-XX:MaxNewSize=128m", "-XX:NewSize=128m");
        assertThat(options.indexOf("-Xmx3g"))
                .as("what comes last counts")
                .isGreaterThan(options.indexOf("-XX:MaxRAMPercentage=50"));

        Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"21.0.1\"\n");
        assertThat(thalweg("run", "Job.java", "--jvm", "latency").out().lines())
                .contains("-XX:+UseZGC", "-XX:+ZGenerational");
        Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"25\"\n");
        assertThat(thalweg("run", "Job.java", "--jvm", "latency").out().lines())
                .contains("-XX:+UseZGC")
                .doesNotContain("-XX:+ZGenerational");
    }

    @Test
    void shouldBuildOnceAndRunFromAPathWithSpaces() throws Exception {
        Outcome first = thalweg("run", "a job", "--quiet");
        Outcome second = thalweg("run", "a job", "--quiet");

        assertThat(first.code()).as(first.error()).isZero();
        assertThat(first.error()).isEqualTo("Building Thalweg (first use) ...\n");
        assertThat(first.out()).endsWith(commandLine("run", "a job", "--quiet"));
        assertThat(second).isEqualTo(new Outcome(0, first.out(), ""));
        assertThat(builds()).hasSize(1);
        assertThat(work.resolve("lock")).doesNotExist();
    }

    @Test
    void shouldRunThroughLinksAndWithoutAHomeAndWhateverCdpathSays() throws Exception {
        Path links = Files.createDirectories(folder.resolve("links"));
        Files.createSymbolicLink(links.resolve("one"), Path.of("../a place with spaces/thalweg"));
        Files.createSymbolicLink(links.resolve("two"), links.resolve("one"));
        Map<String, String> bare = Map.of("HOME", "", "CDPATH", folder + ":" + links);

        Outcome outcome = end(start(bare, "sh", "-c", "cd links && ./two --version"));

        assertThat(outcome.code()).as(outcome.error()).isZero();
        assertThat(outcome.out()).endsWith(commandLine("--version"));
        assertThat(builds()).as("the wrapper wants a home").containsExactly("HOME=" + work.toRealPath());
        assertThat(end(start(bare, "sh", "-c", "cd 'a place with spaces' && sh thalweg --version"))
                        .out())
                .endsWith(commandLine("--version"));
    }

    /** A runtime has no compiler, which the job that fills the archive needs. */
    @Test
    void shouldArchiveTheClassesOfTheCommandLineWhereNoJobCanRun() throws Exception {
        executable(folder.resolve("jdk/bin/java"), JAVA.replace("#!/bin/sh\n", """
                #!/bin/sh
                case "$*" in *ArchiveClassesAtExit*ClassArchive) exit 2 ;; esac
                """));

        Outcome outcome = thalweg("--version");

        assertThat(outcome.code()).as(outcome.error()).isZero();
        assertThat(work.resolve("dist/17.0.1+9.jsa")).hasContent("archive");
    }

    @Test
    void shouldRunWhereItCannotWrite() throws Exception {
        thalweg("--version");
        Path archive = work.resolve("dist/17.0.1+9.jsa");
        assertThat(archive).exists();
        Files.delete(archive);

        Outcome outcome = readOnly("--version");

        assertThat(outcome).isEqualTo(new Outcome(0, commandLine("--version"), ""));
        assertThat(archive).doesNotExist();
    }

    @Test
    void shouldSayThatItMustBuildAndCannotWrite() throws Exception {
        Outcome never = readOnly("--version");

        assertThat(never.code()).isEqualTo(2);
        assertThat(never.error())
                .isEqualTo("thalweg: must build itself (first use), but " + work
                        + " cannot be written; run ./thalweg --version once as a user who may.\n");

        thalweg("--version");
        change();
        Outcome stale = readOnly("--version");

        assertThat(stale.code()).isEqualTo(2);
        assertThat(stale.error()).startsWith("thalweg: must build itself (its sources changed), but ");
    }

    /** Java gives the number of a closed stream to the next file that it opens, and then reads or writes that file in its place. */
    @Test
    void shouldStartJavaWithItsThreeStreams_whenOneIsClosed() throws Exception {
        Path open = folder.resolve("open");
        executable(folder.resolve("jdk/bin/java"), """
                #!/bin/sh
                case $1 in -XX:ArchiveClassesAtExit=*) echo archive >"${1#*=}"; exit ;; esac
                for stream in 0 1 2; do
                  (eval "exec 3<&$stream") && echo $stream >>'%s'
                done
                """.formatted(open));
        thalweg("--version"); // builds
        for (String closed : List.of("<&-", ">&-", "2>&-")) {
            Files.deleteIfExists(open);
            end(start(Map.of(), "sh", "-c", "\"$1/thalweg\" --version " + closed, "sh", home.toString()));
            assertThat(open).as("with " + closed).hasContent("0\n1\n2");
        }
    }

    @Test
    void shouldBuildOnceWhenManyStartAtOnce() throws Exception {
        List<Process> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(start(Map.of(), home.resolve("thalweg").toString(), "--version"));
        }
        for (Process each : all) {
            Outcome outcome = end(each);
            assertThat(outcome.code()).as(outcome.error()).isZero();
            assertThat(outcome.out()).endsWith(commandLine("--version"));
        }
        assertThat(builds()).hasSize(1);
    }

    /** The process whose number the lock holds runs, but it is another one. */
    @Test
    void shouldTakeTheLockOfAnotherProcessOfThatNumberForStale() throws Exception {
        Files.createDirectories(work);
        Files.createSymbolicLink(
                work.resolve("lock"), Path.of(ProcessHandle.current().pid() + "@1"));

        assertThat(thalweg("--version").code()).isZero();
        assertThat(builds()).hasSize(1);
    }

    /** Two that start find the lock of a process that was killed: one takes it, after the other has seen that it is stale. */
    @Test
    void shouldNotTakeTheLockFromWhoHasJustTakenIt() throws Exception {
        Files.createDirectories(work);
        Files.createSymbolicLink(work.resolve("lock"), Path.of("1@1"));
        Process other = start(Map.of(), "tail", "-f", "/dev/null");
        String script = """
                set -eu
                root=$1
                say() { echo "$1"; }
                . "$1/cli/src/main/sh/build.sh"
                lives() {
                  if [ "$1" = 1@1 ]; then ln -sf "$other" "$work/lock"; return 1; fi
                  [ -n "${1#*@}" ] && [ "${1#*@}" = "$(started_at "${1%%@*}")" ]
                }
                other=$(named_process "$2")
                lock
                echo locked
                """;

        Process second = start(Map.of(), "sh", "-c", script, "sh", home.toString(), Long.toString(other.pid()));

        try (BufferedReader said = second.inputReader(StandardCharsets.UTF_8)) {
            assertThat(said.readLine()).isEqualTo("waits for another build, process " + other.pid() + ", to end.");
            other.destroyForcibly().waitFor();
            assertThat(said.readLine()).isEqualTo("locked");
        }
        assertThat(Cli.end(second)).isZero();
        assertThat(work.resolve("lock")).doesNotExist();
    }

    @Test
    void shouldSayThatNoLockCanBeMade() throws Exception {
        Files.createDirectories(work);
        Files.writeString(work.resolve("lock"), "no link");

        Outcome outcome = thalweg("--version");

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.error())
                .startsWith("thalweg: must build, and cannot make the link that keeps others from it: ")
                .contains(work.resolve("lock").toString())
                .hasLineCount(1);
    }

    @Test
    void shouldBuildAgainWhenABuildWasKilled() throws Exception {
        thalweg("--version");
        change();
        executable(home.resolve("mvnw"), "#!/bin/sh\nkill -KILL $(readlink cli/target/fast/lock | sed 's/@.*//')\n");
        assertThat(thalweg("--version").code()).isEqualTo(128 + 9);
        executable(home.resolve("mvnw"), BUILD);

        Outcome outcome = thalweg("--version");

        assertThat(outcome.code()).as(outcome.error()).isZero();
        assertThat(outcome.out()).endsWith(commandLine("--version"));
        assertThat(outcome.error()).isEqualTo("Building Thalweg (first use) ...\n");
        assertThat(builds()).hasSize(2);
    }

    /** A signal that no process can do anything about included. */
    @ParameterizedTest
    @ValueSource(strings = {"KILL", "TERM"})
    void shouldTakeItsMavenWithIt(String signal) throws Exception {
        Path pipe = pipe("pipe");
        executable(home.resolve("mvnw"), "#!/bin/sh\necho $$ >'" + pipe + "'\nexec tail -f /dev/null\n");
        Process launcher = start(Map.of(), home.resolve("thalweg").toString(), "--version");
        ProcessHandle maven =
                ProcessHandle.of(Long.parseLong(Files.readString(pipe).strip())).orElseThrow();
        try {
            Cli.signal(launcher, signal);

            assertThat(Cli.end(launcher)).isNotZero();
            maven.onExit().get(2, TimeUnit.MINUTES);
        } finally {
            maven.destroyForcibly();
        }
        executable(home.resolve("mvnw"), BUILD);
        assertThat(thalweg("--version").code()).isZero();
        assertThat(builds()).hasSize(1);
        assertThat(work).isDirectoryNotContaining("glob:**/mvnw-*");
    }

    /** It looks for its own once a second, and finds that of the next one, which has begun meanwhile. */
    @Test
    void shouldNotTakeTheMavenOfTheNextOneWithIt() throws Exception {
        Path pipe = pipe("pipe");
        Path go = pipe("go");
        executable(home.resolve("mvnw"), "#!/bin/sh\necho $$ >'" + pipe + "'\nexec tail -f /dev/null\n");
        Process killed = start(Map.of(), home.resolve("thalweg").toString(), "--version");
        ProcessHandle maven =
                ProcessHandle.of(Long.parseLong(Files.readString(pipe).strip())).orElseThrow();
        List<ProcessHandle> tether =
                killed.children().filter(each -> !each.equals(maven)).toList();
        assertThat(tether).isNotEmpty();
        killed.destroyForcibly().waitFor();
        maven.destroyForcibly();
        executable(home.resolve("mvnw"), BUILD + "cat '" + go + "' >/dev/null\n");

        Process next = start(Map.of(), home.resolve("thalweg").toString(), "--version");
        for (ProcessHandle each : tether) {
            each.onExit().get(4, TimeUnit.MINUTES);
        }
        start(Map.of(), "sh", "-c", "echo on >\"$1\"", "sh", go.toString());

        assertThat(end(next).error()).isEqualTo("Building Thalweg (first use) ...\n");
        assertThat(Cli.end(next)).isZero();
        assertThat(builds()).hasSize(1);
    }

    private Path pipe(String name) throws Exception {
        Path pipe = folder.resolve(name);
        assertThat(end(start(Map.of(), "mkfifo", pipe.toString())).code()).isZero();
        return pipe;
    }

    /** As one whose parent never asks, which in a container may be each that has no parent any more: nobody would build again. */
    @Test
    void shouldNotTakeAProcessThatHasEndedForOneThatRuns() throws Exception {
        assumeTrue(Files.isReadable(Path.of("/proc/self/stat")), "a /proc is needed");
        Process parent = start(
                Map.of(),
                "sh",
                "-c",
                "while [ \"$(cat /proc/$$/comm)\" != tail ]; do :; done & echo $!; exec tail -f /dev/null");
        String number = parent.inputReader(StandardCharsets.UTF_8).readLine();
        Path stat = Path.of("/proc", number, "stat");
        String start = afterName(stat)[19];
        while (!afterName(stat)[0].equals("Z")) {
            Thread.onSpinWait();
        }
        String script = "root=$1; . \"$1/cli/src/main/sh/build.sh\"; if lives \"$2\"; then echo yes; else echo no; fi";
        assertThat(end(start(Map.of(), "sh", "-c", script, "sh", home.toString(), number + "@" + start))
                        .out())
                .isEqualTo("no\n");
        String own = afterName(Path.of("/proc", Long.toString(parent.pid()), "stat"))[19];
        assertThat(end(start(Map.of(), "sh", "-c", script, "sh", home.toString(), parent.pid() + "@" + own))
                        .out())
                .isEqualTo("yes\n");
    }

    private static String[] afterName(Path stat) throws IOException {
        String text = Files.readString(stat);
        return text.substring(text.lastIndexOf(") ") + 2).split(" ");
    }

    /** Starts a process that measures, and waits until it is the Java of that. */
    private Process measure(String... command) throws Exception {
        executable(
                folder.resolve("jdk/bin/java"),
                JAVA
                        + "case $* in *' lab run '* | *' tune '* | *KafkaBenchmark* | *thalweg-micro*) echo measures; exec tail -f /dev/null ;;"
                        + " esac\n");
        List<String> all = new ArrayList<>(List.of(home.resolve("thalweg").toString()));
        all.addAll(List.of(command));
        Process lab = start(Map.of(), all.toArray(String[]::new));
        assertThat(lab.inputReader(StandardCharsets.UTF_8).lines().anyMatch("measures"::equals))
                .isTrue();
        return lab;
    }

    private void change() throws IOException {
        Files.writeString(home.resolve("pom.xml"), "changed", StandardOpenOption.APPEND);
    }

    /** Of a size that is always the same. */
    private Path source(String module, char content, String year) throws IOException {
        Path source = home.resolve(module + "/src/main/java/a b/A.java");
        Files.createDirectories(source.getParent());
        Files.writeString(source, String.valueOf(content));
        return Files.setLastModifiedTime(source, FileTime.from(Instant.parse(year + "-01-01T00:00:00Z")));
    }

    private Path compiled(String module) throws IOException {
        Path classes = Files.createDirectories(home.resolve(module + "/target/fast/classes"));
        return Files.writeString(classes.resolve("A.class"), "");
    }

    /** As a file is that is restored, or one that is written after the clock was set back. Maven would take it for compiled. */
    @Test
    void shouldBuildAgainWhenSourcesAreOtherOnes_howeverOldTheyAre() throws Exception {
        source("cli", 'a', "2001");
        source("lab/driver", 'a', "2001");
        thalweg("--version");
        Path classFile = compiled("cli");
        Path ofDriver = compiled("lab/driver");
        source("cli", 'b', "2001");

        Outcome outcome = thalweg("--version");

        assertThat(outcome.error()).isEqualTo("Building Thalweg (its sources changed) ...\n");
        assertThat(classFile).doesNotExist();
        assertThat(ofDriver).exists();
        Path driver = source("lab/driver", 'b', "2001");
        assertThat(thalweg("--version").error()).isEqualTo("Building Thalweg (its sources changed) ...\n");
        assertThat(ofDriver).doesNotExist();
        Files.delete(driver);
        assertThat(thalweg("--version").error()).isEqualTo("Building Thalweg (its sources changed) ...\n");
        assertThat(thalweg("--version").error()).isEmpty();
    }

    @Test
    void shouldNotBuildAgainWhereOnlyTimesAreOtherOnes() throws Exception {
        source("cli", 'a', "2001");
        thalweg("--version");
        Path classFile = compiled("cli");

        source("cli", 'a', "2100");

        assertThat(thalweg("--version").error()).isEmpty();
        assertThat(classFile).exists();
        assertThat(builds()).hasSize(1);
    }

    @Test
    void shouldForgetWhatABuildThatFailedHadCompiled() throws Exception {
        source("cli", 'a', "2001");
        thalweg("--version");
        source("cli", 'b', "2001");
        executable(home.resolve("mvnw"), "#!/bin/sh\nexit 1\n");
        assertThat(thalweg("--version").code()).isEqualTo(1);
        Path classFile = compiled("cli");
        source("cli", 'a', "2001");
        executable(home.resolve("mvnw"), BUILD);

        assertThat(thalweg("--version").code()).isZero();

        assertThat(classFile).doesNotExist();
    }

    /** A build would replace the jars of what is measured, and take its cores. */
    @ParameterizedTest
    @ValueSource(strings = {"lab run study", "tune Job.java"})
    void shouldBuildWhenWhoMeasuresHasEnded_evenIfItWasKilled(String command) throws Exception {
        thalweg("--version");
        Process lab = measure(command.split(" "));
        assertThat(thalweg("--version").error()).as("what is built runs").isEmpty();
        change();

        Process waits = start(Map.of(), home.resolve("thalweg").toString(), "--version");

        assertThat(waits.errorReader(StandardCharsets.UTF_8).readLine())
                .isEqualTo("thalweg: must build itself (its sources changed), and waits for process " + lab.pid()
                        + ", which measures what is built here, to end.");
        assertThat(work.resolve("dist/lib/thalweg-cli.jar")).exists();
        assertThat(builds()).hasSize(1);
        lab.destroyForcibly().waitFor();
        assertThat(Cli.end(waits)).isZero();
        assertThat(builds()).hasSize(2);
    }

    /** Two that built and measured beside each other would read jars that are half written. */
    @ParameterizedTest
    @ValueSource(strings = {"lab/kafka/run.sh", "lab/micro/run.sh"})
    void shouldBeWaitedForByAScriptThatMeasures_andWaitForIt(String name) throws Exception {
        thalweg("--version");
        Files.createDirectories(home.resolve(name).getParent());
        executable(home.resolve(name), Files.readString(SCRIPT.resolveSibling(name)));
        Process lab = measure("lab", "run", "study");

        Process script = start(Map.of(), home.resolve(name).toString(), "one");

        assertThat(script.errorReader(StandardCharsets.UTF_8).readLine())
                .isEqualTo(name + ": must build what it measures, and waits for process " + lab.pid()
                        + ", which measures what is built here, to end.");
        assertThat(builds()).hasSize(1);
        lab.destroyForcibly().waitFor();
        assertThat(script.inputReader(StandardCharsets.UTF_8).lines().anyMatch("measures"::equals))
                .isTrue();
        assertThat(builds()).hasSize(2);
        change();
        Process waits = start(Map.of(), home.resolve("thalweg").toString(), "--version");
        assertThat(waits.errorReader(StandardCharsets.UTF_8).readLine())
                .isEqualTo("thalweg: must build itself (its sources changed), and waits for process " + script.pid()
                        + ", which measures what is built here, to end.");
        script.descendants().forEach(ProcessHandle::destroyForcibly);
        script.destroyForcibly().waitFor();
        assertThat(Cli.end(waits)).isZero();
        assertThat(builds()).hasSize(3);
    }

    /** Such a build leaves what is built, but for what it needs of other parts. */
    @Test
    void shouldMeasureWhenABuildHasEnded() throws Exception {
        thalweg("--version");
        part(home, "acme", "packages=acme\nlabel=rockets\n");
        Path go = pipe("go");
        executable(home.resolve("mvnw"), BUILD + "cat '" + go + "' >/dev/null\n");
        Path job = Files.writeString(folder.resolve("Job.java"), "import io.thalweg.acme.A;\n");
        Process builds = start(Map.of(), home.resolve("thalweg").toString(), job.toString());
        assertThat(builds.errorReader(StandardCharsets.UTF_8).readLine())
                .isEqualTo("Building Thalweg (first use of rockets) ...");

        Process lab = start(Map.of(), home.resolve("thalweg").toString(), "lab", "run", "study");

        assertThat(lab.errorReader(StandardCharsets.UTF_8).readLine())
                .isEqualTo("thalweg: waits for another build, process " + builds.pid() + ", to end.");
        Files.writeString(go, "on");
        assertThat(Cli.end(builds)).isZero();
        assertThat(end(lab).out()).endsWith(commandLine("lab", "run", "study"));
    }

    /** As the lab does for its own runs of it. */
    @Test
    void shouldTakeTheBuildAsItIs_ifAsked() throws Exception {
        thalweg("--version");
        change();

        Outcome outcome = thalweg(Map.of("THALWEG_BUILT", "1"), "--version");

        assertThat(outcome.error()).isEmpty();
        assertThat(outcome.out()).endsWith(commandLine("--version"));
        assertThat(builds()).hasSize(1);
        assertThat(thalweg("race", "Job.java").code()).isZero();
        assertThat(builds()).hasSize(2);
    }

    /** A distribution, with this in its {@code lib}. */
    private Path distribution(String... jars) throws IOException {
        Path place = Files.createDirectories(folder.resolve("a distribution"));
        Files.createDirectories(place.resolve("bin"));
        Files.createDirectories(place.resolve("lib"));
        executable(place.resolve("bin/thalweg"), Files.readString(SCRIPT));
        for (String jar : jars) {
            Files.createDirectories(place.resolve("lib").resolve(jar).getParent());
            Files.writeString(place.resolve("lib").resolve(jar), "jar");
        }
        try (DirectoryStream<Path> modules = Files.newDirectoryStream(SCRIPT.resolveSibling("."))) {
            for (Path module : modules) {
                if (Files.exists(module.resolve("part.properties"))) {
                    part(
                            place.resolve("lib/parts"),
                            module.getFileName().toString(),
                            Files.readString(module.resolve("part.properties")));
                }
            }
        }
        return place.toRealPath();
    }

    private static void part(Path parts, String name, String said) throws IOException {
        Files.writeString(Files.createDirectories(parts.resolve(name)).resolve("part.properties"), said);
    }

    private static String commandLine(Path place, String argument, String... jars) {
        List<String> path = new ArrayList<>();
        for (String jar : jars) {
            path.add(place.resolve("lib").resolve(jar).toString());
        }
        return COMPILER + "-Dthalweg.distribution=" + place + "\n-Dthalweg.parts=" + place.resolve("lib/parts")
                + "\n-cp\n" + String.join(":", path) + "\nio.thalweg.cli.Main\n" + argument + "\n";
    }

    /** What only helps is taken where it is there, and missed nowhere. */
    @Test
    void shouldTakeTheHistoryForThePage() throws Exception {
        Path place = distribution("a.jar");
        String script = place.resolve("bin/thalweg").toString();
        assertThat(end(start(Map.of(), script, "web")).out()).endsWith(commandLine(place, "web", "a.jar"));
        Files.createDirectories(place.resolve("lib/history"));
        Files.writeString(place.resolve("lib/history/h.jar"), "jar");
        for (List<String> command : List.of(
                List.of("web"), List.of("run", "Job.java", "--web"), List.of("run", "--history=x", "Job.java"))) {
            List<String> all = new ArrayList<>(List.of(script));
            all.addAll(command);
            assertThat(end(start(Map.of(), all.toArray(String[]::new))).out())
                    .endsWith(commandLine(place, String.join("\n", command), "a.jar", "history/h.jar"));
        }
        assertThat(end(start(Map.of(), script, "run", "web")).out()).endsWith(commandLine(place, "run\nweb", "a.jar"));
    }

    @Test
    void shouldRunTheJarsOfADistribution() throws Exception {
        Path place = distribution("a.jar", "columnar/a.jar", "columnar/p.jar", "kafka/k.jar", "kafka/p.jar");

        for (int run = 0; run < 2; run++) {
            Outcome plain = end(start(Map.of(), place.resolve("bin/thalweg").toString(), "--version"));
            assertThat(plain.code()).as(plain.error()).isZero();
            assertThat(plain.error()).isEmpty();
            assertThat(plain.out())
                    .isEqualTo("-XX:SharedArchiveFile=" + place.resolve("lib/17.0.1+9.jsa") + "\n-Xlog:cds*=off\n"
                            + commandLine(place, "--version", "a.jar"));
        }
        Outcome columnar = end(start(
                Map.of("THALWEG_WITH", "columnar"), place.resolve("bin/thalweg").toString(), "--version"));
        assertThat(columnar.out()).endsWith(commandLine(place, "--version", "a.jar", "columnar/p.jar"));
        Outcome both = end(start(
                Map.of("THALWEG_WITH", "kafka columnar"),
                place.resolve("bin/thalweg").toString(),
                "--version"));
        assertThat(both.out()).endsWith(commandLine(place, "--version", "a.jar", "columnar/p.jar", "kafka/k.jar"));
        Path job = Files.writeString(folder.resolve("Job.java"), "import io.thalweg.kafka.Kafka;\n");
        Outcome kafka = end(start(Map.of(), place.resolve("bin/thalweg").toString(), job.toString()));
        assertThat(kafka.out()).endsWith(commandLine(place, job.toString(), "a.jar", "kafka/k.jar", "kafka/p.jar"));
        assertThat(folder.resolve("made")).as("builds").doesNotExist();
    }

    /** With those of all parts that are asked for, since an archive is for one class path. */
    @Test
    void shouldKeepTheClassesOfAPartThatSaysWhatIsTypical() throws Exception {
        Path place = distribution("a.jar", "columnar/p.jar", "kafka/k.jar");
        String script = place.resolve("bin/thalweg").toString();
        Files.writeString(
                place.resolve("lib/parts/kafka/part.properties"), "archive=some.Typical\n", StandardOpenOption.APPEND);

        for (int run = 0; run < 2; run++) {
            assertThat(end(start(Map.of("THALWEG_WITH", "kafka columnar"), script, "--version"))
                            .out())
                    .isEqualTo("-XX:SharedArchiveFile=" + place.resolve("lib/17.0.1+9-columnar-kafka.jsa")
                            + "\n-Xlog:cds*=off\n"
                            + commandLine(place, "--version", "a.jar", "columnar/p.jar", "kafka/k.jar"));
        }
        assertThat(end(start(Map.of("THALWEG_WITH", "columnar"), script, "--version"))
                        .out())
                .startsWith("-XX:SharedArchiveFile=" + place.resolve("lib/17.0.1+9.jsa") + "\n");
    }

    @Test
    void shouldMakeItsClassesAgainWhenItsJarsAreReplaced() throws Exception {
        Path place = distribution("a.jar");
        String script = place.resolve("bin/thalweg").toString();
        end(start(Map.of(), script, "--version"));
        Path archive = place.resolve("lib/17.0.1+9.jsa");
        Files.writeString(archive, "of older jars\n");
        Path jar = place.resolve("lib/a.jar");
        Files.delete(jar);
        Files.writeString(jar, "another");
        Files.setLastModifiedTime(jar, FileTime.from(Instant.parse("2001-01-01T00:00:00Z")));

        end(start(Map.of(), script, "--version"));

        assertThat(archive).hasContent("archive");
    }

    @Test
    void shouldSayWhatADistributionDoesNotHave() throws Exception {
        Path place = distribution("a.jar", "storm/s.jar");
        String script = place.resolve("bin/thalweg").toString();

        Outcome flink = end(start(Map.of(), script, "run", "Job.java", "--on", "flink"));
        assertThat(flink.code()).isEqualTo(2);
        assertThat(flink.error())
                .isEqualTo(
                        "thalweg: this distribution has no flink; use --on flink in a clone of Thalweg, or in a build of"
                                + " your own with thalweg-flink.\n");

        Outcome storm = end(start(Map.of(), script, "run", "Job.java", "--on=storm"));
        assertThat(storm.code()).as(storm.error()).isZero();
        assertThat(storm.out()).contains("-cp\n" + place.resolve("lib/storm/s.jar") + ":" + place.resolve("lib/a.jar"));
    }

    /** Of the broker's jars only the one that starts it. */
    @Test
    void shouldAddWhatKafkaNeeds() throws Exception {
        Path place = distribution(
                "a.jar",
                "kafka/k.jar",
                "kafka-cli/c.jar",
                "kafka-cli/thalweg-kafka-broker-1.jar",
                "kafka-broker/scala.jar");
        Files.writeString(place.resolve("lib/kafka-broker/thalweg-kafka-broker-1.jar"), "jar");
        String script = place.resolve("bin/thalweg").toString();

        Outcome topics = end(start(Map.of(), script, "kafka", "topics"));
        assertThat(topics.out())
                .endsWith(commandLine(
                        place,
                        "kafka\ntopics",
                        "a.jar",
                        "kafka/k.jar",
                        "kafka-cli/c.jar",
                        "kafka-cli/thalweg-kafka-broker-1.jar"));
        Outcome group = end(start(Map.of(), script, "doctor", "kafka=h:1/g", "--for", "1s"));
        assertThat(group.out())
                .endsWith(commandLine(
                        place,
                        "doctor\nkafka=h:1/g\n--for\n1s",
                        "a.jar",
                        "kafka/k.jar",
                        "kafka-cli/c.jar",
                        "kafka-cli/thalweg-kafka-broker-1.jar"));
        for (List<String> arguments : List.of(
                List.of("doctor", "Job.java", "--set", "kafka.x=1"),
                List.of("run", "Job.java", "kafka=1"),
                List.of("doctor", "flink=h:1"))) {
            List<String> command = new ArrayList<>(List.of(script));
            command.addAll(arguments);
            assertThat(end(start(Map.of(), command.toArray(String[]::new))).out())
                    .endsWith(commandLine(place, String.join("\n", arguments), "a.jar"));
        }
        Outcome started = end(start(Map.of(), script, "kafka", "start"));
        assertThat(started.out())
                .endsWith(commandLine(
                        place,
                        "kafka\nstart",
                        "a.jar",
                        "kafka/k.jar",
                        "kafka-broker/thalweg-kafka-broker-1.jar",
                        "kafka-cli/c.jar"));
        Path job = Files.writeString(
                folder.resolve("Job.java"), "import io.thalweg.broker.TrialBroker;\nimport io.thalweg.kafka.Kafka;\n");
        Outcome own = end(start(Map.of(), script, job.toString()));
        assertThat(own.out())
                .endsWith(commandLine(
                        place, job.toString(), "a.jar", "kafka/k.jar", "kafka-broker/thalweg-kafka-broker-1.jar"));

        Path without = distribution("a.jar", "kafka/k.jar");
        for (Path each : List.of(
                without.resolve("lib/kafka-broker/scala.jar"),
                without.resolve("lib/kafka-broker/thalweg-kafka-broker-1.jar"),
                without.resolve("lib/kafka-broker"))) {
            Files.delete(each);
        }
        Outcome none = end(start(Map.of(), script, "kafka", "start"));
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.error())
                .startsWith("thalweg: this distribution has no Kafka broker; ")
                .hasLineCount(1);
    }

    /** Nothing but its own file knows of it. */
    @Test
    void shouldRunWhatAModuleSaysOfItself() throws Exception {
        Path place = distribution("a.jar", "acme-road/r.jar", "acme/thalweg-acme-1.jar", "acme/other.jar");
        part(place.resolve("lib/parts"), "acme-road", """
                # A comment
                road=acme
                commands=acme
                java=-Done=1 -Dtwo=a=b
                """);
        part(place.resolve("lib/parts"), "acme", "packages=acme.deep rockets\njars=thalweg-acme-\nlabel=Rockets\n");
        String script = place.resolve("bin/thalweg").toString();

        for (List<String> arguments :
                List.of(List.of("run", "J.jar", "--on", "acme=h:1"), List.of("run", "--on=acme"), List.of("acme"))) {
            List<String> command = new ArrayList<>(List.of(script));
            command.addAll(arguments);
            Outcome road = end(start(Map.of(), command.toArray(String[]::new)));
            assertThat(road.out())
                    .as("%s %s", arguments, road.error())
                    .contains("-Done=1\n-Dtwo=a=b\n")
                    .endsWith(commandLine(place, String.join("\n", arguments), "acme-road/r.jar", "a.jar"));
        }
        for (String line : List.of("import io.thalweg.acme.deep.Job;", "import static io.thalweg.rockets.R.*;")) {
            Path job = Files.writeString(folder.resolve("Job.java"), line + "\n");
            assertThat(end(start(Map.of(), script, job.toString())).out())
                    .endsWith(commandLine(place, job.toString(), "a.jar", "acme/thalweg-acme-1.jar"));
        }
        for (String line : List.of("import io.thalweg.acme.Job;", "import io.thalweg.rocketsled.Job;", "")) {
            Path job = Files.writeString(folder.resolve("Job.java"), line + "\n");
            assertThat(end(start(Map.of(), script, job.toString())).out())
                    .endsWith(commandLine(place, job.toString(), "a.jar"));
        }
        part(place.resolve("lib/parts"), "gone", "packages=gone\nlabel=Gone things\n");
        Outcome gone = end(start(Map.of("THALWEG_WITH", "gone"), script, "--version"));
        assertThat(gone)
                .isEqualTo(new Outcome(
                        2, "", "thalweg: this distribution has no Gone things; run this in a clone of Thalweg.\n"));
    }

    @Test
    void shouldBuildWhatAModuleSaysOfItself_whenItIsFirstUsed() throws Exception {
        thalweg("--version");
        part(home, "acme", "packages=acme\nlabel=rockets\n");
        executable(home.resolve("mvnw"), BUILD + """
                mkdir -p acme/target/fast/dist/lib
                echo jar >acme/target/fast/dist/lib/acme.jar
                echo "$@" >../made/arguments
                """);
        Path job = Files.writeString(folder.resolve("Job.java"), "import io.thalweg.acme.A;\n");

        Outcome outcome = thalweg(job.toString());

        assertThat(outcome.error()).isEqualTo("Building Thalweg (first use of rockets) ...\n");
        assertThat(outcome.out()).contains(home.resolve("acme/target/fast/dist/lib/acme.jar") + "\n");
        assertThat(folder.resolve("made/arguments")).content().contains("-pl cli,acme -am");
        assertThat(thalweg(job.toString()).error()).isEmpty();
    }

    /** Others run meanwhile, with the jars that are there. */
    @Test
    void shouldLeaveAllThatIsBuiltWhenAPartIsFirstUsed_butNothingOfEarlierSources() throws Exception {
        thalweg("--version");
        part(home, "acme", "packages=acme\nlabel=rockets\n");
        part(home, "other", "packages=other\nlabel=others\n");
        Path job = Files.writeString(folder.resolve("Job.java"), "import io.thalweg.acme.A;\n");
        Path other = Files.writeString(folder.resolve("Other.java"), "import io.thalweg.other.A;\n");
        Path kept = Files.writeString(work.resolve("dist/lib/kept.jar"), "jar");
        executable(home.resolve("mvnw"), BUILD + """
                if [ -e cli/target/fast/built ] && [ -e cli/target/fast/dist/lib/kept.jar ]; then echo yes >>../made/kept; fi
                """);

        assertThat(thalweg(job.toString()).error()).isEqualTo("Building Thalweg (first use of rockets) ...\n");

        assertThat(folder.resolve("made/kept")).hasContent("yes");
        assertThat(kept).exists();

        change();
        assertThat(thalweg(other.toString()).error()).isEqualTo("Building Thalweg (its sources changed) ...\n");
        assertThat(kept).doesNotExist();
        assertThat(thalweg(job.toString()).error()).isEqualTo("Building Thalweg (first use of rockets) ...\n");
    }

    @Test
    void shouldShowWhatABuildSaysThatFails() throws Exception {
        executable(home.resolve("mvnw"), "#!/bin/sh\necho '[ERROR] no network'\nexit 1\n");

        Outcome outcome = thalweg("--version");

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.error()).contains("[ERROR] no network").contains("thalweg: the build failed;");
        assertThat(work.resolve("lock")).doesNotExist();
    }
}
