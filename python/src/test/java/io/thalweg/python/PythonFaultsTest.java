// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.run.RunningJob;
import io.thalweg.testkit.CollectSink;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes that die, hang, or write what they should not; and what the user is told. */
@Timeout(900)
@Tag("integration")
final class PythonFaultsTest {
    private static final AtomicLong ANSWERED = new AtomicLong();
    private static final Logger LOG = Logger.getLogger("io.thalweg.python");

    record Named(long id, String name) {}

    @TempDir
    private Path folder;

    private final RunSettings settings = RunSettings.defaults().withParallelism(1);
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final List<String> shown = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord record) {
            shown.add(record.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        LOG.setUseParentHandlers(false);
        LOG.addHandler(handler);
        ANSWERED.set(0);
    }

    @AfterEach
    void everyProcessShouldHaveEnded() {
        LOG.removeHandler(handler);
        assertThat(Jobs.children()).isEmpty();
    }

    private PythonOperator operator(String function) {
        return Python.operator(Jobs.script(folder, "faults.py"), function);
    }

    private <R> CollectSink<R> run(PythonOperator operator, Class<R> type, long rows) throws Exception {
        Topology topology = Topology.named("faults");
        CollectSink<R> sink = CollectSink.of(type);
        operator.map(topology.from(Sources.generate(rows, i -> i)), type)
                .name("scores")
                .to(sink);
        Jobs.start(topology, settings.withWarnings(warnings::add)).await();
        return sink;
    }

    /** The line that the user sees. */
    private String failure(PythonOperator operator, Class<?> type, long rows) {
        String[] message = new String[1];
        assertThatThrownBy(() -> run(operator, type, rows))
                .isInstanceOf(JobFailedException.class)
                .satisfies(thrown -> message[0] = String.valueOf(thrown.getMessage()));
        assertThat(message[0]).startsWith("operator 'scores': ");
        return message[0];
    }

    @Test
    void shouldSayWhereAFunctionHangs() {
        assertThat(failure(operator("hangs").timeout(Duration.ofSeconds(2)), Long.class, 10))
                .contains("hangs of faults.py has not answered within 2000 ms; it was in hangs, ")
                .contains("faults.py, line 1")
                .contains("allow more with timeout(…)");
    }

    record Shy(long number) {
        @Override
        public long number() {
            throw new AssertionError("it is not told");
        }
    }

    /** The job would wait for these rows for ever. */
    @Test
    @Timeout(120)
    void shouldSayWhichErrorARowHasMet() {
        Topology topology = Topology.named("shy");
        operator("same")
                .map(topology.from(Sources.generate(10, i -> i)).map(Shy::new).as(Shy.class), Shy.class)
                .name("scores")
                .to(Sinks.discard());
        assertThatThrownBy(() -> Jobs.start(topology, settings).await())
                .isInstanceOf(JobFailedException.class)
                .hasMessageStartingWith("operator 'scores': rows cannot be sent to Python: ")
                .hasMessageContaining("it is not told");
    }

    /** A process that is stopped cannot see that its time is up. */
    @Test
    void shouldEndAProcessThatIsStopped() throws Exception {
        Topology topology = Topology.named("stopped");
        operator("same")
                .timeout(Duration.ofSeconds(4)) // before it is stopped it answers in time
                .map(topology.from(Sources.generate(Long.MAX_VALUE, i -> i)), Long.class)
                .peek(value -> ANSWERED.incrementAndGet())
                .to(Sinks.discard());
        RunningJob job = Jobs.start(topology, settings);
        Jobs.await(() -> ANSWERED.get() > 0);
        long pid = Jobs.children().get(0).pid();
        assertThat(new ProcessBuilder("kill", "-STOP", Long.toString(pid))
                        .start()
                        .waitFor())
                .isZero();
        assertThatThrownBy(job::await).hasMessageContaining("same of faults.py has not answered within 4000 ms");
    }

    @Test
    void shouldShowWhatProcessesWrite_upToALimit() throws Exception {
        assertThat(run(operator("floods"), Long.class, 20).records())
                .containsExactlyElementsOf(LongStream.range(0, 20).boxed().toList());
        assertThat(shown).hasSize(201).anyMatch(line -> line.matches("faults\\.py\\[\\d+]: stray 0"));
        assertThat(shown).anyMatch(line -> line.matches("faults\\.py\\[\\d+]: raw"));
        assertThat(shown.get(200)).contains("it has written 200 lines; what else it writes is not shown");
        assertThat(shown).allMatch(line -> line.length() < 1_100);
    }

    @Test
    void shouldSayWhereAnExceptionWasThrown() {
        assertThat(failure(operator("raises"), Long.class, 10_000))
                .contains("ValueError: bad value 1234 in checked (")
                .contains("faults.py line 4")
                .contains("), called from raises (line 3")
                .endsWith("; row 1234");
    }

    @Test
    void shouldSayThatAProcessDiesAgainAndAgain() {
        assertThat(failure(operator("dies"), Long.class, 10))
                .contains("the Python process of dies of faults.py died 4 times without an answer in between"
                        + " (exit code 3; it wrote last: about to die)");
        assertThat(warnings)
                .anyMatch(line -> line.contains("the Python process of faults.py") && line.contains("exit code 3"));
        assertThat(failure(operator("crashes").restarts(0), Long.class, 10))
                .contains("the Python process of crashes of faults.py died (killed by signal 11; it wrote last: ")
                .contains("line 6");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "garbles  | what came from Python is no message",
                "exits    | SystemExit: enough in exits (",
                "forgets  | forgets returned None; return a value for each row",
                "unknown  | the result of unknown cannot be sent to Java: an object cannot be sent to Java; row 0",
                "nested   | the result of nested cannot be sent to Java: field 'name': element 1: an object cannot be sent to Java; row 0",
                "too_big  | the result of too_big cannot be sent to Java: field 'id': Integer value out of range; row 0",
                "endless  | the result of endless cannot be sent to Java: Integer value out of range",
                "text     | text returned field 'id': the text \"seven\", where a whole number is expected; row 0",
                "nameless | nameless returned no field 'name', and Named.name is not @Nullable; row 0",
                "same     | same returned the value 0, where a dict or dataclass for Named is expected; row 0",
                "nobody   | faults.py has no function 'nobody'; it has Closing, Dying, Leaving, Mute, Unclosed,"
                        + " checked",
            })
    void shouldSayWhatIsWrongWithAFunction(String function, String message) {
        assertThat(failure(operator(function), Named.class, 3)).contains(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "import nothing_of_that_name | ModuleNotFoundError: No module named 'nothing_of_that_name'; if it is a package, install it with /",
                "def f(:                     | SyntaxError: ",
                "def f(): return 1           | TypeError: it takes no argument; it must take a row",
            })
    void shouldSayWhyAFileCannotBeLoaded(String source, String message) {
        assertThat(failure(Python.operator(Jobs.source(folder, "job.py", source + "\n"), "f"), Long.class, 3))
                .contains(message);
    }

    /** Nor may it keep the pipes of a process that has died: nobody would see that it has. */
    @ParameterizedTest
    @ValueSource(strings = {"forks", "exits_forked"})
    void shouldTakeNoAnswersOfAProcessThatWasForked(String function) throws Exception {
        assertThat(run(operator(function), Long.class, 20).records())
                .containsExactlyElementsOf(LongStream.range(0, 20).boxed().toList());
        assertThat(shown)
                .anyMatch(line -> line.contains("a process that was forked in the function leaves it and ends"));
    }

    @Test
    void shouldSeeThatAProcessHasDied_ifOneThatItHasForkedLivesOn() throws Exception {
        Path lives = Files.createFile(folder.resolve("faults.py.lives"));
        try {
            assertThat(failure(operator("leaves_a_child"), Long.class, 10))
                    .contains("died 4 times without an answer in between (exit code 3; it wrote last: about to die)");
        } finally {
            Files.delete(lives);
        }
    }

    @Test
    void shouldTellTextsThatAreNoUtf8() throws Exception {
        assertThat(failure(operator("half"), Long.class, 3)).contains("ValueError: half \\udc80 in half (");
        assertThat(failure(operator("mute"), Long.class, 3)).contains("'scores': Mute in mute (");
        List<String> bad = new CopyOnWriteArrayList<>();
        Topology topology = Topology.named("bad");
        operator("half_bad")
                .map(topology.from(Sources.generate(2, i -> i)), Long.class)
                .to(Sinks.discard());
        Jobs.start(topology, settings.withBadRecords((job, operator, record) -> bad.add(record.reason())))
                .await();
        assertThat(bad).containsExactly("half \\udc80");
    }

    /** Not of the last one for all rows that came together. */
    @Test
    void shouldTakeTheValuesThatAnObjectHadWhenItWasReturned() throws Exception {
        assertThat(run(operator("kept"), Named.class, 2_000).records()).containsExactlyElementsOf(named(2_000));
        Topology topology = Topology.named("kept");
        CollectSink<Named> sink = CollectSink.of(Named.class);
        operator("kept_twice")
                .flatMap(topology.from(Sources.generate(1_000, i -> i)), Named.class)
                .to(sink);
        Jobs.start(topology, settings).await();
        assertThat(sink.records()).containsExactlyElementsOf(named(2_000));
    }

    private static List<Named> named(long many) {
        return LongStream.range(0, many)
                .mapToObj(i -> new Named(i, Long.toString(i)))
                .toList();
    }

    /** UTF-8 has no bytes for it, and the JDK writes a question mark. */
    @Test
    void shouldCountRowsWithHalfASurrogatePairAsBad() throws Exception {
        List<BadRecord> bad = new CopyOnWriteArrayList<>();
        Topology topology = Topology.named("half");
        CollectSink<Named> sink = CollectSink.of(Named.class);
        Stream<Named> rows = topology.from(Sources.generate(
                600, Type.of(Named.class), i -> new Named(i, i % 3 == 1 ? "a\ud800?" : "?" + i)));
        operator("same").map(rows, Named.class).to(sink);
        Jobs.start(topology, settings.withBadRecords((job, operator, record) -> bad.add(record)))
                .await();

        assertThat(sink.records())
                .containsExactlyElementsOf(LongStream.range(0, 600)
                        .filter(i -> i % 3 != 1)
                        .mapToObj(i -> new Named(i, "?" + i))
                        .toList());
        assertThat(bad)
                .hasSize(200)
                .allMatch(each -> each.reason()
                        .equals("it cannot be sent to Python: field 'name': the text contains half a surrogate pair,"
                                + " which UTF-8 cannot encode"));
        assertThat(new String(bad.get(0).bytes(), StandardCharsets.UTF_8)).isEqualTo("Named[id=1, name=a\\ud800?]");
    }

    @Test
    void shouldCountRowsWhoseResultHasHalfASurrogatePairAsBad() throws Exception {
        List<String> bad = new CopyOnWriteArrayList<>();
        Topology topology = Topology.named("half");
        CollectSink<Named> sink = CollectSink.of(Named.class);
        operator("halves")
                .map(topology.from(Sources.generate(600, i -> i)), Named.class)
                .to(sink);
        Jobs.start(topology, settings.withBadRecords((job, operator, record) -> bad.add(record.reason())))
                .await();

        assertThat(sink.records()).hasSize(400).allMatch(each -> each.id() % 3 != 1);
        assertThat(bad)
                .hasSize(200)
                .containsOnly("the result of halves cannot be sent to Java: field 'name': the text contains half a"
                        + " surrogate pair, which UTF-8 cannot encode");
    }

    @Test
    void shouldFail_ifTheFunctionCannotBeClosed() {
        assertThat(failure(operator("Unclosed"), Long.class, 3))
                .contains("close of Unclosed of faults.py failed: OSError: not saved in close (")
                .contains("faults.py line 1");
        assertThat(failure(operator("Closing").processes(2).timeout(Duration.ofSeconds(4)), Long.class, 3))
                .contains("close of Closing of faults.py has not ended within 4000 ms; it was in close, ")
                .endsWith("; allow more with timeout(…)");
        assertThat(failure(operator("Dying"), Long.class, 3))
                .endsWith(
                        "close of Dying of faults.py has not ended: its process died (exit code 3; it wrote last: lost"
                                + " in close)");
    }

    @Test
    void shouldEnd_ifAProcessDiesThatHasNothingToClose() throws Exception {
        CollectSink<Long> sink = CollectSink.of(Long.class);
        Topology topology = Topology.named("job");
        operator("Leaving")
                .map(topology.from(Sources.generate(3, i -> i)), Long.class)
                .to(sink);
        Jobs.start(topology, RunSettings.defaults()).await();

        assertThat(sink.records()).containsExactly(0L, 1L, 2L);
    }

    @Test
    void shouldSayThatAFileIsMissing() {
        assertThatThrownBy(() -> Python.operator(folder.resolve("scorin.py"), "score"))
                .isInstanceOf(ConnectorException.class)
                .hasMessage("there is no file " + folder.resolve("scorin.py") + " with Python source");
    }

    @Test
    void shouldSayThatTheInterpreterIsMissing() {
        assertThat(failure(operator("same").virtualenv(folder), Long.class, 3))
                .contains("the Python interpreter '" + folder.resolve("bin/python")
                        + "' cannot be started: No such file or directory; install Python 3.9 or newer");
    }

    @Test
    void shouldSayThatPythonIsTooOld() throws Exception {
        Path old = Jobs.source(folder, "python-old", """
                #!/bin/sh
                exec python3 -c 'import sys; sys.version_info = (3, 6, 8); exec(sys.argv[1])' "$2"
                """);
        Files.setPosixFilePermissions(old, PosixFilePermissions.fromString("rwx------"));
        assertThat(failure(operator("same").interpreter(old.toString()), Long.class, 3))
                .contains("'" + old + "' is Python 3.6.8, and 3.9 or newer is needed");
    }

    @Test
    void shouldSayThatARowIsTooLarge() throws Exception {
        Topology topology = Topology.named("large");
        operator("same")
                .largestRow(1_000)
                .map(topology.from(Sources.generate(10, i -> "x".repeat(i == 5 ? 2_000 : 1))), String.class)
                .to(CollectSink.of(String.class));
        assertThatThrownBy(() -> Jobs.start(topology, settings).await())
                .hasMessageContaining(
                        "a row has 2003 bytes, and at most 1000 are sent to Python; allow more with largestRow(…); row xxx");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sleeps", "same"})
    void shouldEndItsProcesses_ifTheJvmIsKilled(String function) throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        EndlessJob.class.getName(),
                        Jobs.script(folder, "faults.py").toString(),
                        function)
                .redirectError(Redirect.DISCARD) // where lines of the interpreter may come first
                .start();
        try {
            assertThat(jvm.inputReader().readLine()).isEqualTo("under way");
            List<ProcessHandle> children = jvm.children().toList();
            assertThat(children).hasSize(2);
            jvm.destroyForcibly().waitFor();
            for (ProcessHandle child : children) {
                child.onExit().get();
            }
        } finally {
            jvm.destroyForcibly().waitFor();
        }
    }
}
