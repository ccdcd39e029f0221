// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.python.Packages;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.topology.TopologyBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Spouts in Python that emit record batches. */
@Timeout(900)
@Tag("integration")
final class ArrowSpoutTest {
    private static final Duration END = Duration.ofSeconds(5);

    /** What bolts may take to end where the machine does other things too. */
    private static final Duration BUSY = Duration.ofSeconds(60);

    private static final int KILLS = Integer.getInteger("thalweg.children", 3);

    /** No other process of this machine has such an argument. */
    private static final String SCRIPT = "rows_of_arrow.py";

    /** Emits its numbers, again if they fail, and begins behind those that were acked when it is started again. */
    private static final String NUMBERS = """
            import os
            import numpy as np
            import pyarrow as pa
            from thalweg.storm import ArrowSpout

            class Rows(ArrowSpout):
                def initialize(self, conf, context):
                    self.file = os.open(os.path.join(conf["marks"], "acked"), os.O_CREAT | os.O_RDWR | os.O_APPEND)
                    done = np.frombuffer(os.read(self.file, 1 << 30), np.int64)
                    self.todo = pa.array(np.setdiff1d(np.arange(%d), done))

                def next_batch(self, most):
                    at = %s
                    rows, self.todo = self.todo[:at], self.todo[at:]
                    self.emit_batch({"n": rows}, ids=rows)

                def ack_batch(self, ids):
                    os.write(self.file, ids.to_numpy().tobytes())

                def fail_batch(self, ids):
                    self.todo = pa.concat_arrays([ids, self.todo])

            Rows().run()
            """;

    private static String python = "python3";

    @TempDir
    private Path resources;

    private final Journal journal = new Journal();

    @BeforeAll
    static void installPackages() {
        python = Packages.interpreter(Packages.virtualenv()).toString();
    }

    @AfterEach
    void forget() {
        journal.forget();
    }

    private void script(String text) throws IOException {
        Files.writeString(resources.resolve(SCRIPT), text);
    }

    /** A spout that does this. */
    private void spout(String... bodies) throws IOException {
        script("import pyarrow as pa\nfrom thalweg.storm import ArrowSpout\n\nclass Rows(ArrowSpout):\n"
                + String.join(
                        "", Arrays.stream(bodies).map(each -> each.indent(4)).toList())
                + "\nRows().run()\n");
    }

    private TopologyBuilder rows(Script end, String... fields) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("rows", new Shell.PythonSpout(SCRIPT, python, fields));
        builder.setBolt("end", end).shuffleGrouping("rows");
        return builder;
    }

    private Script noting() {
        return new Script(journal, (tuple, scene) -> {
            scene.journal.note("end", tuple.getValues());
            scene.collector.ack(tuple);
        });
    }

    private StormRun start(TopologyBuilder builder, String framing, Object... more) {
        Map<String, Object> conf = new HashMap<>();
        conf.put("marks", resources.toString());
        conf.put(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 600); // what a test counts as failed was failed by a bolt
        conf.put(Config.TOPOLOGY_SUBPROCESS_TIMEOUT_SECS, 600); // an import of pyarrow may take long on a busy machine
        if (!framing.equals("arrow")) {
            conf.put("topology.multilang.framings", framing.equals("json") ? List.of() : List.of("msgpack-1"));
        }
        for (int i = 0; i < more.length; i += 2) {
            conf.put((String) more[i], more[i + 1]);
        }
        return StormDoor.of("shell", builder.createTopology(), conf, resources, ArrowSpoutTest.class.getClassLoader())
                .start(RunSettings.defaults());
    }

    /** How many bytes the spout has written of what was acked, as far as it was told. */
    private long acked() {
        try {
            Path file = resources.resolve("acked");
            return Files.exists(file) ? Files.size(file) / Long.BYTES : 0;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private List<ComponentStats> allAcked(StormRun run, int many) throws Exception {
        journal.await("all are acked", () -> Runs.ended(run) || acked() >= many);
        assertThat(run.stop(END, BUSY)).isTrue();
        assertThat(acked()).isEqualTo(many);
        return run.stats();
    }

    /** Some rows fail at first; those alone are emitted again. */
    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack", "arrow"})
    void shouldRunASpoutByEachFraming(String framing) throws Exception {
        script(NUMBERS.formatted(300, "70"));
        Script failing = new Script(journal, (tuple, scene) -> {
            int n = tuple.getInteger(0);
            if (n % 10 == 3 && scene.journal.counter("tried " + n).incrementAndGet() == 1) {
                scene.collector.fail(tuple);
            } else {
                scene.journal.note("end", n);
                scene.collector.ack(tuple);
            }
        });
        StormRun run = start(rows(failing, "n"), framing, Config.TOPOLOGY_MAX_SPOUT_PENDING, 50);
        ComponentStats spout = Runs.of(allAcked(run, 300), "rows");
        assertThat(journal.page("end"))
                .containsExactlyInAnyOrder(IntStream.range(0, 300).boxed().toArray());
        assertThat(List.of(spout.emitted(), spout.acked(), spout.failed(), spout.errors()))
                .containsExactly(330L, 300L, 30L, 0L);
    }

    /** A batch is larger than what may be pending. */
    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack", "arrow"})
    void shouldHaveNoMorePendingThanItMay(String framing) throws Exception {
        script(NUMBERS.formatted(300, "most + 250"));
        Script keeping = new Script(journal, (tuple, scene) -> {
            scene.kept.add(tuple);
            scene.journal.note("end", tuple.getInteger(0));
            if (scene.kept.size() == 50) {
                scene.journal.await(
                        "a look", () -> scene.journal.counter("looks").get() > 0);
                scene.kept.forEach(scene.collector::ack);
                scene.kept.clear();
            }
        });
        StormRun run = start(rows(keeping, "n"), framing, Config.TOPOLOGY_MAX_SPOUT_PENDING, 50);
        journal.await("50 are pending", () -> Runs.ended(run) || journal.size("end") == 50);
        assertThat(Runs.of(run.stats(), "rows").emitted()).isEqualTo(50);
        journal.counter("looks").set(1);
        allAcked(run, 300);
        assertThat(journal.page("end"))
                .containsExactly(IntStream.range(0, 300).boxed().toArray());
    }

    /** As many as may be pending for each of them. */
    @Test
    void shouldHaveRoomForAllTasksOfAnExecutor() throws Exception {
        spout("def next_batch(self, most):\n    self.emit_batch({'n': [most]}, ids=[0])");
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("rows", new Shell.PythonSpout(SCRIPT, python, "n")).setNumTasks(2);
        builder.setBolt("end", new Script(journal, (tuple, scene) -> scene.journal.note("end", tuple.getInteger(0))))
                .shuffleGrouping("rows");
        StormRun run = start(builder, "arrow", Config.TOPOLOGY_MAX_SPOUT_PENDING, 50);
        journal.await("a row", () -> Runs.ended(run) || journal.size("end") > 0);
        assertThat(run.stop(Duration.ZERO, BUSY)).isTrue();
        assertThat(journal.page("end").get(0)).isEqualTo(100);
    }

    @Test
    void shouldEmitAgainWhatTakesTooLong() throws Exception {
        script(NUMBERS.formatted(100, "most"));
        Script forgetful = new Script(journal, (tuple, scene) -> {
            int n = tuple.getInteger(0);
            if (n % 10 != 3 || scene.journal.counter("tried " + n).incrementAndGet() > 1) {
                scene.journal.note("end", n);
                scene.collector.ack(tuple);
            }
        });
        StormRun run = start(rows(forgetful, "n"), "arrow", Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 2);
        journal.await("all are acked", () -> Runs.ended(run) || acked() >= 100);
        assertThat(run.stop(END, BUSY)).isTrue();
        assertThat(journal.page("end")).contains(IntStream.range(0, 100).boxed().toArray());
        assertThat(Runs.of(run.stats(), "rows").failed()).isGreaterThanOrEqualTo(10);
    }

    /** All at once where nothing is tracked, in the order that they were emitted in. */
    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack", "arrow"})
    void shouldAckWithoutAckers(String framing) throws Exception {
        script(NUMBERS.formatted(3_000, "2_000"));
        StormRun run = start(rows(noting(), "n"), framing, Config.TOPOLOGY_ACKER_EXECUTORS, 0);
        allAcked(run, 3_000);
        assertThat(journal.page("end"))
                .containsExactlyElementsOf(
                        IntStream.range(0, 3_000).<Object>mapToObj(List::of).toList());
    }

    /** Of each type, with nulls; ids of text, of a part of the rows; several streams. */
    @Test
    void shouldCarryValues() throws Exception {
        spout("""
                def next_batch(self, most):
                    if not hasattr(self, "sent"):
                        self.sent = True
                        self.emit_batch({
                            "truth": [True, None, False],
                            "number": pa.array([1, None, -7], pa.int16()),
                            "large": [1 << 40, None, -1],
                            "real": pa.array([0.5, None, -1], pa.float32()),
                            "text": pa.array(["é€😀", None, ""]).dictionary_encode(),
                            "bytes": [b"\\0\\xff", None, b""],
                            "none": pa.nulls(3),
                            "list": [[1, 2], None, []],
                        }, ids=["a", None, "c"])
                        columns = {"truth": [True], "number": [1], "large": [2], "real": [1.5], "text": ["x"]}
                        self.emit_batch({**columns, "bytes": [b"y"], "none": [None], "list": ["z"]}, ids=[4])

                def ack_batch(self, ids):
                    with open(self.conf["marks"] + "/told", "a") as file:
                        file.writelines("%s %s\\n" % (ids.type, id) for id in ids.to_pylist())
                """);
        String[] fields = {"truth", "number", "large", "real", "text", "bytes", "none", "list"};
        StormRun run = start(rows(noting(), fields), "arrow");
        journal.await("all are taken", () -> Runs.ended(run) || journal.size("end") == 4);
        Path told = resources.resolve("told");
        journal.await("all are acked", () -> Runs.ended(run) || lines(told).size() == 3);
        assertThat(run.stop(END, BUSY)).isTrue();
        assertThat(lines(told)).containsExactlyInAnyOrder("string a", "string c", "int64 4");
        assertThat(journal.page("end").stream().map(each -> Arrays.deepToString(((List<?>) each).toArray())))
                .containsExactly(
                        "[true, 1, 1099511627776, 0.5, é€😀, [0, -1], null, [1, 2]]",
                        "[null, null, null, null, null, null, null, null]",
                        "[false, -7, -1, -1.0, , [], null, []]",
                        "[true, 1, 2, 1.5, x, [121], null, z]");
        assertThat(Runs.of(run.stats(), "rows").acked()).isEqualTo(3);
    }

    private static List<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * More than all pipes hold, in each direction: large rows, ids of many letters that are acked together, and a child that writes of
     * each before it reads the next.
     */
    @ParameterizedTest
    @ValueSource(strings = {"msgpack", "arrow"})
    void shouldNotDeadlockWithAChildThatWritesBeforeItReads(String framing) throws Exception {
        spout("""
                def initialize(self, conf, context):
                    self.left = 3
                    for part in range(20):
                        self.log("x" * 100_000)

                def next_batch(self, most):
                    if self.left > 0:
                        self.left -= 1
                        ids = ["%d %s" % (n, "i" * 5_000) for n in range(800)]
                        self.emit_batch({"n": ["r" * 20_000] * 800}, ids=ids)

                def ack_batch(self, ids):
                    for each in ids.to_pylist():
                        self.log(each)
                    with open(self.conf["marks"] + "/acked", "ab") as file:
                        file.write(bytes(8 * len(ids)))
                """);
        Script together = new Script(journal, (tuple, scene) -> {
            scene.kept.add(tuple);
            if (scene.kept.size() == 800) {
                scene.kept.forEach(scene.collector::ack);
                scene.kept.clear();
            }
        });
        List<ComponentStats> stats = allAcked(start(rows(together, "n"), framing), 3 * 800);
        assertThat(Runs.of(stats, "end").executed()).isEqualTo(3 * 800);
        assertThat(stats).allMatch(each -> each.errors() == 0);
    }

    /** The process is killed while rows are on their way; the next one begins behind those that were acked. */
    @Test
    void shouldLoseNoRowOfAChildThatIsKilled() throws Exception {
        long seed = Long.getLong("thalweg.kills.seed", System.nanoTime() & 0xffffff);
        Random random = new Random(seed);
        int between = 20_000;
        int many = between * (KILLS + 2);
        script(NUMBERS.formatted(many, "most"));
        Script allowed = new Script(journal, (tuple, scene) -> {
            int n = scene.journal.counter("taken").incrementAndGet();
            scene.journal.await(
                    "a kill", () -> n <= scene.journal.counter("allowed").get());
            scene.journal.note("end", tuple.getInteger(0));
            scene.collector.ack(tuple);
        });
        StormRun run = start(rows(allowed, "n"), "arrow", Config.TOPOLOGY_MAX_SPOUT_PENDING, 5_000);
        for (int kill = 1; kill <= KILLS; kill++) {
            int next = kill * between + random.nextInt(between);
            journal.counter("allowed").set(next + between - 1); // it must not end before the last kill
            journal.await(
                    "rows", () -> Runs.ended(run) || journal.counter("taken").get() >= next);
            journal.await(
                    "a kill",
                    () -> Runs.ended(run)
                            || children().stream()
                                    .map(ProcessHandle::destroyForcibly)
                                    .toList()
                                    .contains(true));
        }
        journal.counter("allowed").set(Integer.MAX_VALUE);
        journal.await(
                "all are taken",
                () -> Runs.ended(run) || journal.page("end").stream().distinct().count() == many);
        assertThat(run.stop(END, BUSY)).isTrue();
        assertThat(journal.page("end").stream().distinct())
                .as("-Dthalweg.kills.seed=" + seed)
                .containsExactlyInAnyOrder(IntStream.range(0, many).boxed().toArray());
        assertThat(children()).isEmpty();
    }

    private static List<ProcessHandle> children() {
        return ProcessHandle.current()
                .descendants()
                .filter(each -> each.info().commandLine().orElse("").contains(SCRIPT))
                .toList();
    }

    private void fails(TopologyBuilder builder, String message) {
        StormRun run = start(builder, "arrow");
        assertThatThrownBy(run::await)
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("topology 'shell', operator 'rows': the child '")
                .hasMessageContaining(message);
    }

    @Test
    void shouldSayWhatIsWrongWithABatch() throws Exception {
        spout("def next_batch(self, most):\n    self.emit_batch({'m': [1]})");
        fails(rows(noting(), "n"), "ValueError: no column 'n', which is a field of the stream; there are m");
        spout("def next_batch(self, most):\n    self.emit_batch({'n': [1]}, ids=[1, 2])");
        fails(rows(noting(), "n"), "ValueError: ids has 2 elements for 1 rows");
    }

    @Test
    void shouldSayThatPyarrowIsMissing() throws Exception {
        script("from thalweg.storm import ArrowSpout\n\nclass Rows(ArrowSpout):\n    pass\n\nRows().run()\n");
        Files.writeString(
                resources.resolve("pyarrow.py"), "raise ModuleNotFoundError(\"No module named 'pyarrow'\")\n");
        fails(
                rows(noting(), "n"),
                "Rows uses record batches of Arrow, and pyarrow cannot be imported (No module named 'pyarrow'); install it for ");
    }

    /** As in the guide. */
    @Test
    void shouldEmitAFile() throws Exception {
        try (InputStream in =
                Objects.requireNonNull(ArrowSpoutTest.class.getResourceAsStream("/resources/quakes.py"), "quakes.py")) {
            Files.copy(in, resources.resolve(SCRIPT));
        }
        Files.writeString(resources.resolve("quakes.csv"), "place,mag,depth\nHualian,6.4,10\nPaita,,30\n");
        Script failing = new Script(journal, (tuple, scene) -> {
            if (scene.journal.counter("tried").incrementAndGet() == 1) {
                scene.collector.fail(tuple);
                return;
            }
            scene.journal.note("end", tuple.getValues());
            scene.collector.ack(tuple);
        });
        StormRun run = start(rows(failing, "place", "mag"), "arrow");
        journal.await("all are taken", () -> Runs.ended(run) || journal.size("end") == 2);
        assertThat(run.stop(END, BUSY)).isTrue();
        assertThat(journal.page("end"))
                .containsExactlyInAnyOrder(List.of("Hualian", 6.4), Arrays.asList("Paita", null));
    }
}
