// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CollectSink;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions of record batches. */
@Timeout(600)
@Tag("integration")
final class ArrowTest {
    private static final long ROWS = 3_000;

    private static Path virtualenv = Path.of("");

    enum Colour {
        RED,
        GREEN
    }

    record Row(long id, int number) {}

    record Result(long id, @Nullable Double doubled) {}

    @TempDir
    private Path folder;

    @BeforeAll
    static void installPackages() {
        virtualenv = Packages.virtualenv();
    }

    @AfterEach
    void everyProcessShouldHaveEnded() {
        assertThat(Jobs.children()).isEmpty();
    }

    private PythonOperator operator(String function) {
        return Python.operator(Jobs.script(folder, "columns.py"), function)
                .virtualenv(virtualenv)
                .batch(300);
    }

    private static Row row(long id) {
        return new Row(id, (int) id * 3);
    }

    private <R> List<R> run(Class<R> type, BiFunction<Stream<Row>, Class<R>, Stream<R>> operator) throws Exception {
        Topology topology = Topology.named("arrow");
        CollectSink<R> sink = CollectSink.of(type);
        operator.apply(rows(topology), type).name("columns").to(sink);
        Jobs.start(topology, RunSettings.defaults().withParallelism(1)).await();
        return sink.records();
    }

    private <R> List<R> map(String function, Class<R> type) throws Exception {
        return run(type, operator(function)::map);
    }

    /** One row at a time: how many come together depends on time. */
    private String failure(String function, Class<?> type) {
        String[] message = new String[1];
        assertThatThrownBy(() -> run(type, operator(function).batch(1)::map))
                .isInstanceOf(JobFailedException.class)
                .satisfies(thrown -> message[0] = String.valueOf(thrown.getMessage()));
        assertThat(message[0]).startsWith("operator 'columns': ");
        return message[0];
    }

    private static List<Long> ids() {
        return LongStream.range(0, ROWS).boxed().toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"by_pandas", "by_numpy", "by_compute"})
    void shouldMakeRecordsOfColumns(String function) throws Exception {
        assertThat(map(function, Result.class))
                .containsExactlyElementsOf(
                        ids().stream().map(id -> new Result(id, 6.0 * id)).toList());
    }

    @Test
    void shouldMakeSingleValuesOfAnArray() throws Exception {
        assertThat(map("doubled", Long.class))
                .containsExactlyElementsOf(ids().stream().map(id -> 6 * id).toList());
        assertThat(map("dictionary", String.class))
                .containsExactlyElementsOf(
                        ids().stream().map(id -> Long.toString(id % 3)).toList());
    }

    @Test
    void shouldTakeRowsThatAreNoRecords() throws Exception {
        Topology topology = Topology.named("single");
        CollectSink<Integer> sink = CollectSink.of(Integer.class);
        operator("length")
                .map(topology.from(Sources.of("", "a", "é")), Integer.class)
                .to(sink);
        Jobs.start(topology, RunSettings.defaults()).await();
        assertThat(sink.records()).containsExactly(0, 1, 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"even", "even_by_pandas"})
    void shouldFilterRows(String function) throws Exception {
        assertThat(run(Row.class, operator(function)::filter))
                .containsExactlyElementsOf(ids().stream()
                        .filter(id -> id % 2 == 0)
                        .map(ArrowTest::row)
                        .toList());
    }

    @Test
    void shouldMakeAnyNumberOfRowsOfEach() throws Exception {
        assertThat(run(Long.class, operator("repeated")::flatMap))
                .containsExactlyElementsOf(ids().stream()
                        .flatMap(id -> LongStream.range(0, id % 4).mapToObj(i -> id))
                        .toList());
    }

    /** They come as lists do without Arrow. */
    @Test
    void shouldMakeRecordsThatAreNoColumns() throws Exception {
        record Tagged(long id, List<String> tags) {}

        assertThat(map("tagged", Tagged.class))
                .containsExactlyElementsOf(ids().stream()
                        .map(id -> new Tagged(id, List.of("a", Long.toString(id))))
                        .toList());
    }

    @Test
    void shouldCountBadRowsOfAList() throws Exception {
        assertThat(map("as_lists", Long.class))
                .containsExactlyElementsOf(ids().stream().filter(id -> id != 7).toList());
    }

    record Text(long id, String text) {}

    @Test
    void shouldCountRowsWithHalfASurrogatePairAsBad() throws Exception {
        List<String> bad = new CopyOnWriteArrayList<>();
        RunSettings settings = RunSettings.defaults()
                .withParallelism(1)
                .withBadRecords((job, operator, record) -> bad.add(record.reason()));
        Topology topology = Topology.named("half");
        CollectSink<Text> sent = CollectSink.of(Text.class);
        Stream<Text> rows = topology.from(Sources.generate(
                ROWS, Type.of(Text.class), id -> new Text(id, id % 3 == 0 ? "a\ud800?" : "?" + id)));
        operator("same").map(rows, Text.class).to(sent);
        CollectSink<Text> returned = CollectSink.of(Text.class);
        operator("halves").map(rows(topology), Text.class).to(returned);
        Jobs.start(topology, settings).await();

        assertThat(sent.records())
                .containsExactlyElementsOf(ids().stream()
                        .filter(id -> id % 3 != 0)
                        .map(id -> new Text(id, "?" + id))
                        .toList());
        assertThat(returned.records())
                .containsExactlyElementsOf(ids().stream()
                        .filter(id -> id % 3 != 1)
                        .map(id -> new Text(id, "a"))
                        .toList());
        String half = ": the text contains half a surrogate pair, which UTF-8 cannot encode";
        assertThat(bad)
                .hasSize((int) ROWS * 2 / 3)
                .containsOnly(
                        "it cannot be sent to Python: field 'text'" + half,
                        "the result cannot be sent to Java: column 'text'" + half);
    }

    /** pyarrow does not look at bytes that it is told to take for text. */
    @Test
    void shouldCountRowsWhoseTextIsNoUtf8AsBad() throws Exception {
        List<String> bad = new CopyOnWriteArrayList<>();
        RunSettings settings = RunSettings.defaults()
                .withParallelism(1)
                .withBadRecords((job, operator, record) -> bad.add(record.reason()));
        Topology topology = Topology.named("latin");
        CollectSink<Text> read = CollectSink.of(Text.class);
        operator("latin").map(rows(topology), Text.class).to(read);
        Jobs.start(topology, settings).await();

        assertThat(read.records())
                .containsExactlyElementsOf(ids().stream()
                        .filter(id -> id % 3 != 1)
                        .map(id -> new Text(id, "\uFFFD"))
                        .toList());
        assertThat(bad)
                .hasSize((int) (ROWS + 1) / 3)
                .containsOnly("the result of latin cannot be read: column 'text': byte 1 of the text is invalid UTF-8");
    }

    private static Stream<Row> rows(Topology topology) {
        return topology.from(Sources.generate(ROWS, Type.of(Row.class), ArrowTest::row));
    }

    record Known(
            boolean truth,
            byte small,
            long large,
            float real,
            double exact,
            String text,
            @Nullable Long maybe,
            Instant time,
            LocalDate day) {}

    record Quake(String place, @Nullable Double mag, double depth) {}

    record Score(String place, double score) {}

    private static Stream<Score> columns(Stream<Quake> quakes, Path script, Path folder) {
        // region columns
        Stream<Score> scores = Python.operator(script, "score")
                .virtualenv(folder)
                .batch(4_096)
                .inFlight(16_384)
                .map(quakes, Score.class);
        // endregion
        return scores;
    }

    @Test
    void shouldRunWhatTheGuideShows() throws Exception {
        Path script = Jobs.script(folder, "scoring_columns.py");
        Topology topology = Topology.named("guide");
        Stream<Quake> quakes = topology.from(
                Sources.of(new Quake("Hualian", 6.5, 50), new Quake("Jarm", null, 10), new Quake("Volcano", 3.0, 0)));
        CollectSink<Score> scores = CollectSink.of(Score.class);
        columns(quakes, script, virtualenv).to(scores);
        CollectSink<Quake> strong = CollectSink.of(Quake.class);
        Python.operator(script, "strong")
                .virtualenv(virtualenv)
                .filter(quakes, Quake.class)
                .to(strong);
        Jobs.start(topology, RunSettings.defaults()).await();
        assertThat(scores.records())
                .containsExactly(new Score("Hualian", 6.0), new Score("Jarm", -0.1), new Score("Volcano", 3.0));
        assertThat(strong.records()).containsExactly(new Quake("Hualian", 6.5, 50));
    }

    @Test
    void shouldReturnEachTypeAsItWas() throws Exception {
        List<Known> rows = List.of(
                new Known(
                        true, (byte) -1, Long.MIN_VALUE, 0.5f, Double.NaN, "é😀", null, Instant.EPOCH, LocalDate.EPOCH),
                new Known(
                        false,
                        (byte) 7,
                        Long.MAX_VALUE,
                        Float.MAX_VALUE,
                        -0.0,
                        "",
                        5L,
                        Instant.parse("1969-12-31T23:59:59.999999999Z"),
                        LocalDate.of(-1, 2, 3)));
        assertThat(through("same", Known.class, Known.class, rows)).containsExactlyElementsOf(rows);
    }

    private <T, R> List<R> through(String function, Class<T> type, Class<R> result, List<T> rows) throws Exception {
        Topology topology = Topology.named("through");
        CollectSink<R> sink = CollectSink.of(result);
        operator(function)
                .map(topology.from(Sources.of(Type.of(type), rows)), result)
                .name("columns")
                .to(sink);
        Jobs.start(topology, RunSettings.defaults()).await();
        return sink.records();
    }

    @Test
    void shouldSendAsTextWhatIsText() throws Exception {
        record Texts(Colour colour, UUID id, char letter) {}

        record Strings(String colour, String id, String letter) {}

        UUID id = new UUID(1, 2);
        assertThat(through("same", Texts.class, Strings.class, List.of(new Texts(Colour.GREEN, id, 'x'))))
                .containsExactly(new Strings("GREEN", id.toString(), "x"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nothing | nothing must return a list with a result for each row, not None",
                "fewer   | fewer returned 0 results for 1 rows; row Row[id=0, number=0]",
                "without | without returned no column 'id'; it has number",
                "text    | text returned column 'id' of type string, where int64 is expected",
                "raises  | ValueError: no luck in raises (",
                "naive   | naive returned no column 'id'; it has value",
            })
    void shouldSayWhatIsWrongWithResults(String function, String message) {
        assertThat(failure(function, Result.class)).contains(message);
    }

    @Test
    void shouldSayThatAValueDoesNotFit() {
        record Count(long id, int count) {}

        assertThat(failure("too_large", Integer.class))
                .contains("too_large returned column 'value' of type int64, where int32 is expected: Integer value ")
                .endsWith("; row Row[id=1, number=3]");
        assertThat(failure("counted", Count.class))
                .contains("counted returned None in field 'count', and ")
                .contains("Count.count is not @Nullable; row Row[id=0, number=0]");
        assertThat(failure("naive", Instant.class))
                .contains(
                        "naive returned column 'value' of type timestamp[us], where timestamp[ns, tz=UTC] is expected");
    }

    @Test
    void shouldRefuseRowsThatHaveNoColumns_beforeTheyCome() {
        record Tags(long id, List<String> tags) {}

        assertThatThrownBy(() -> through("same", Tags.class, Long.class, List.of(new Tags(1, List.of()))))
                .hasMessageContaining("same of columns.py takes batches of Arrow: ")
                .hasMessageContaining("Tags.tags: a List cannot be a column of Arrow; use boolean, whole numbers");
    }

    @Test
    void shouldSayThatAValueIsOutOfRange() {
        assertThatThrownBy(() -> through("same", Instant.class, Instant.class, List.of(Instant.MAX)))
                .hasMessageContaining("is outside of what Arrow's nanoseconds hold, the years 1677 to 2262; row ");
    }

    @Test
    void shouldSayThatARowIsTooLarge() {
        assertThatThrownBy(() -> {
                    Topology topology = Topology.named("large");
                    operator("length")
                            .largestRow(100)
                            .map(topology.from(Sources.of("x", "y".repeat(200))), Integer.class)
                            .to(CollectSink.of(Integer.class));
                    Jobs.start(topology, RunSettings.defaults()).await();
                })
                .hasMessageContaining(
                        "a row has 200 bytes, and at most 100 are sent to Python; allow more with largestRow(…)");
    }

    @Test
    void shouldSayThatPyarrowIsMissing() {
        Path script = Jobs.source(
                folder,
                "bare.py",
                "from thalweg import operator\n\n@operator(batch=\"arrow\")\ndef f(b):\n    return b\n");
        Topology topology = Topology.named("bare");
        Python.operator(script, "f")
                .with(Jobs.source(folder, "pyarrow.py", "raise ModuleNotFoundError(\"No module named 'pyarrow'\")\n"))
                .map(topology.from(Sources.of(1L)), Long.class)
                .to(CollectSink.of(Long.class));
        assertThatThrownBy(() -> Jobs.start(topology, RunSettings.defaults()).await())
                .hasMessageContaining("f of bare.py takes batches of Arrow, and pyarrow cannot be imported"
                        + " (No module named 'pyarrow'); pip install pyarrow for the interpreter, or name one that has it"
                        + " with virtualenv(…)");
    }
}
