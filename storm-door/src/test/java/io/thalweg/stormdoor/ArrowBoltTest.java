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
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bolts in Python that take record batches. */
@Timeout(900)
@Tag("integration")
final class ArrowBoltTest {
    private static final Duration END = Duration.ofSeconds(5);

    /** What bolts may take to end where the machine does other things too. */
    private static final Duration BUSY = Duration.ofSeconds(60);

    private static final String BOLT = """
            import os
            import pyarrow as pa
            import pyarrow.compute as pc
            from thalweg.storm import ArrowBolt

            class Columns(ArrowBolt):
                def initialize(self, conf, context):
                    self.first = True

                def process_batch(self, batch):
            %s
                    self.first = False

            Columns().run()
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

    private void bolt(String body) throws IOException {
        Files.writeString(
                resources.resolve("columns.py"), BOLT.formatted(body.indent(8).stripTrailing()));
    }

    /** Numbers that a bolt of these fields gets, and one behind it that notes the values. */
    private TopologyBuilder numbers(int many, String... fields) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new Numbers(journal, many));
        columns(builder, "numbers", "columns.py", fields);
        return builder;
    }

    private void columns(TopologyBuilder builder, String from, String script, String... fields) {
        builder.setBolt("columns", new Shell.PythonBolt(script, python, fields)).shuffleGrouping(from);
        builder.setBolt("end", new Script(journal, (tuple, scene) -> {
                    scene.journal.note("end", tuple.getValues());
                    Object first = tuple.getValue(0);
                    if (first instanceof Integer n
                            && scene.journal.page("to fail").contains(n)
                            && scene.journal.counter("tried " + n).incrementAndGet() == 1) {
                        scene.collector.fail(tuple);
                    } else {
                        scene.collector.ack(tuple);
                    }
                }))
                .shuffleGrouping("columns");
    }

    private StormRun start(TopologyBuilder builder, String framing) {
        Map<String, Object> conf = new HashMap<>();
        conf.put(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 600); // what a test counts as failed was failed by a bolt
        conf.put(Config.TOPOLOGY_SUBPROCESS_TIMEOUT_SECS, 600); // an import of pyarrow may take long on a busy machine
        if (!framing.equals("arrow")) {
            conf.put("topology.multilang.framings", framing.equals("json") ? List.of() : List.of("msgpack-1"));
        }
        return StormDoor.of("shell", builder.createTopology(), conf, resources, ArrowBoltTest.class.getClassLoader())
                .start(RunSettings.defaults());
    }

    private List<ComponentStats> allAcked(TopologyBuilder builder, String framing, int many) throws Exception {
        StormRun run = start(builder, framing);
        journal.await(
                "all are acked",
                () -> Runs.ended(run)
                        || (journal.size("acked") >= many
                                && journal.page("acked").stream().distinct().count() == many));
        assertThat(run.stop(END, BUSY)).isTrue();
        return run.stats();
    }

    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack", "arrow"})
    void shouldRunABoltByEachFraming(String framing) throws Exception {
        bolt("self.emit_batch({'n': pc.multiply(batch['n'], 2)})");
        List<ComponentStats> stats = allAcked(numbers(300, "n"), framing, 300);
        assertThat(journal.page("end"))
                .containsExactlyElementsOf(IntStream.range(0, 300)
                        .<Object>mapToObj(n -> List.of(n * 2))
                        .toList());
        assertThat(Runs.of(stats, "columns").acked()).isEqualTo(300);
        assertThat(stats).allMatch(each -> each.errors() == 0 && each.failed() == 0);
    }

    /** Of each type, of mixed types, with nulls, and a column of nulls alone; more than a frame holds. */
    @Test
    void shouldCarryValues() throws Exception {
        int many = 1_000;
        bolt("assert batch.num_columns == 8, batch\nself.emit_batch(batch)");
        String[] fields = {"truth", "number", "large", "real", "text", "bytes", "none", "mixed"};
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new Numbers(journal, many));
        builder.setBolt(
                        "all",
                        new Script(journal, (tuple, scene) -> {
                                    scene.collector.emit(tuple, values(tuple.getInteger(0), true));
                                    scene.collector.ack(tuple);
                                })
                                .emits(fields))
                .shuffleGrouping("numbers");
        columns(builder, "all", "columns.py", fields);
        List<ComponentStats> stats = allAcked(builder, "arrow", many);
        assertThat(journal.page("end").stream().map(each -> shown((List<?>) each)))
                .containsExactlyElementsOf(IntStream.range(0, many)
                        .mapToObj(n -> shown(values(n, false)))
                        .toList());
        assertThat(stats).allMatch(each -> each.errors() == 0 && each.failed() == 0);
    }

    /** As they are emitted, or as they come back. */
    private static Values values(int n, boolean sent) {
        boolean missing = n % 7 == 3;
        LocalDate day = LocalDate.ofEpochDay(n);
        Object[] mixed = {n, "text " + n, null, sent ? day : day.toString(), n % 2 == 0, (1L << 60) + n};
        return new Values(
                missing ? null : n % 2 == 0,
                missing ? null : n - 500,
                missing ? null : (1L << 40) * n + 1,
                missing ? null : n / 4.0 + 0.125,
                missing ? null : "é€😀".repeat(n % 1_500),
                missing ? null : new byte[n % 5],
                null,
                mixed[n / 3 % mixed.length]);
    }

    private static String shown(List<?> values) {
        return Arrays.deepToString(values.toArray());
    }

    /** In a column it cannot be, however it came. */
    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack", "arrow"})
    void shouldFailATupleWithHalfASurrogatePair_andNoOther(String framing) throws Exception {
        bolt("self.emit_batch(batch)");
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new Numbers(journal, 100));
        builder.setBolt(
                        "texts",
                        new Script(journal, (tuple, scene) -> {
                                    int n = tuple.getInteger(0);
                                    boolean half = n % 10 == 3
                                            && scene.journal
                                                            .counter("tried " + n)
                                                            .incrementAndGet()
                                                    == 1;
                                    scene.collector.emit(tuple, new Values(n, half ? "a\ud800?" : "?" + n));
                                    scene.collector.ack(tuple);
                                })
                                .emits("n", "text"))
                .shuffleGrouping("numbers");
        columns(builder, "texts", "columns.py", "n", "text");
        List<ComponentStats> stats = allAcked(builder, framing, 100);

        assertThat(journal.page("end"))
                .containsExactlyInAnyOrder(IntStream.range(0, 100)
                        .mapToObj(n -> List.of(n, "?" + n))
                        .toArray());
        assertThat(Runs.of(stats, "numbers").failed()).isEqualTo(10);
        assertThat(Runs.of(stats, "columns").errors()).isEqualTo(10);
        assertThat(Runs.of(stats, "columns").lastError())
                .contains("of 'texts', stream 'default', cannot be ")
                .contains("field 'text': the text contains half a surrogate pair, which UTF-8 cannot encode");
    }

    /** The row that is anchored to fails, and no other. */
    @Test
    void shouldAnchorRowByRow_orToGivenRows() throws Exception {
        bolt("""
                odd = pc.indices_nonzero(pc.bit_wise_and(batch["n"], 1))
                self.emit_batch(batch.take(odd).select(["n"]), anchors=odd)
                self.emit_batch({"n": pc.add(batch["n"], 1000)})""");
        List.of(11, 13, 1014).forEach(n -> journal.note("to fail", n));
        allAcked(numbers(100, "n"), "arrow", 100);
        assertThat(journal.page("failed")).containsExactlyInAnyOrder(11, 13, 14);
    }

    /** The child writes more than all pipes and queues hold before it reads again, and nobody takes it meanwhile. */
    @Test
    void shouldNotDeadlockWithAChildThatWritesBeforeItReads() throws Exception {
        bolt("""
                for part in range(8):
                    self.emit_batch({"n": pa.array(range(1_000 * len(self.rows)))}, anchors=[])""");
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new Numbers(journal, 3));
        builder.setBolt("columns", new Shell.PythonBolt("columns.py", python, "n"))
                .shuffleGrouping("numbers");
        builder.setBolt("end", new Script(journal, (tuple, scene) -> {
                    if (scene.journal.counter("taken").incrementAndGet() == 1) {
                        scene.journal.await("all are sent", () -> scene.journal.size("emitted") == 3);
                    }
                    scene.collector.ack(tuple);
                }))
                .shuffleGrouping("columns");
        List<ComponentStats> stats = allAcked(builder, "arrow", 3);
        assertThat(Runs.of(stats, "end").executed()).isEqualTo(3 * 8_000);
    }

    @Test
    void shouldFailTheRowsOfACallThatRaises() throws Exception {
        bolt("if self.first:\n    self.first = False\n    raise ValueError('no luck')");
        List<ComponentStats> stats = allAcked(numbers(10, "n"), "arrow", 10);
        assertThat(Runs.of(stats, "columns").errors()).isEqualTo(1);
        assertThat(Runs.of(stats, "columns").lastError()).contains("ValueError: no luck");
        assertThat(journal.page("failed")).isNotEmpty();
    }

    @Test
    void shouldSayWhichFieldCannotBeAColumn() throws Exception {
        bolt("pass");
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new Numbers(journal, 1));
        builder.setBolt(
                        "lists",
                        new Script(journal, (tuple, scene) -> scene.collector.emit(tuple, new Values(1, List.of(7))))
                                .emits("n", "tags"))
                .shuffleGrouping("numbers");
        columns(builder, "lists", "columns.py", "n");
        StormRun run = start(builder, "arrow");
        assertThatThrownBy(run::await)
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("topology 'shell', operator 'columns': field 'tags' of 'lists': a ")
                .hasMessageContaining(
                        " cannot be in a column of Arrow, as an ArrowBolt gets it; take tuples, with a Bolt,")
                .hasMessageEndingWith(": [7]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"arrow", "json"})
    void shouldSayThatATupleHasOtherValuesThanFields(String framing) throws Exception {
        bolt("pass");
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new Numbers(journal, 1));
        builder.setBolt(
                        "pairs",
                        new Script(journal, (tuple, scene) -> scene.collector.emit(tuple, new Values(1, 2))).emits("n"))
                .shuffleGrouping("numbers");
        columns(builder, "pairs", "columns.py", "n");
        StormRun run = start(builder, framing);
        assertThatThrownBy(run::await)
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("a tuple of 'pairs' has 2 values, and its stream")
                .hasMessageContaining("has 1 fields, which are columns: [1, 2]");
    }

    @Test
    void shouldSayThatABatchCannotBeRead() throws Exception {
        bolt("self._channel.send_batch(7, batch)\nimport time; time.sleep(1)");
        StormRun run = start(numbers(1, "n"), "arrow");
        assertThatThrownBy(run::await).hasMessageContaining("it sent a record batch without a schema");
    }

    @Test
    void shouldSayThatPyarrowIsMissing() throws Exception {
        Files.writeString(
                resources.resolve("columns.py"),
                "from thalweg.storm import ArrowBolt\n\nclass Columns(ArrowBolt):\n    pass\n\nColumns().run()\n");
        Files.writeString(
                resources.resolve("pyarrow.py"), "raise ModuleNotFoundError(\"No module named 'pyarrow'\")\n");
        StormRun run = start(numbers(1, "n"), "arrow");
        assertThatThrownBy(run::await)
                .hasMessageContaining(
                        "ended before its first message (exit code 1; it wrote last: Columns uses record"
                                + " batches of Arrow, and pyarrow cannot be imported (No module named 'pyarrow'); install it for ")
                .hasMessageContaining(": pip install pyarrow");
    }

    /** As in the guide. */
    @Test
    void shouldKeepStrongQuakes() throws Exception {
        try (InputStream in =
                Objects.requireNonNull(ArrowBoltTest.class.getResourceAsStream("/resources/strong.py"), "strong.py")) {
            Files.copy(in, resources.resolve("strong.py"));
        }
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new Numbers(journal, 8));
        builder.setBolt(
                        "quakes",
                        new Script(journal, (tuple, scene) -> {
                                    int n = tuple.getInteger(0);
                                    scene.collector.emit(tuple, new Values("place " + n, n == 6 ? null : n + 0.5));
                                    scene.collector.ack(tuple);
                                })
                                .emits("place", "mag"))
                .shuffleGrouping("numbers");
        columns(builder, "quakes", "strong.py", "place", "mag");
        allAcked(builder, "arrow", 8);
        assertThat(journal.page("end")).containsExactly(List.of("place 5", 5.5), List.of("place 7", 7.5));
    }
}
