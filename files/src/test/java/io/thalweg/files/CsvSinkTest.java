// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.operator.BadRecordException;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CsvSinkTest {
    enum Kind {
        LARGE {
            @Override
            public String toString() {
                return "not the name";
            }
        }
    }

    record Row(
            @Nullable String name,
            @Nullable Integer n,
            double mean,
            @Nullable LocalDate day,
            @Nullable BigDecimal cost,
            @Nullable Kind kind,
            boolean late) {}

    record Cell(@io.thalweg.files.record.Name("cell-id") long id) {}

    @TempDir
    Path directory;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Test
    void shouldWriteTheComponentsOfARecord() throws Exception {
        Path file = directory.resolve("out.csv");
        Writing.all(
                Csv.write(file.toString(), Row.class),
                List.of(
                        new Row("plain", 7, 0.1, LocalDate.of(2018, 1, 31), new BigDecimal("1E+3"), Kind.LARGE, true),
                        new Row("a,b", null, 1e10, null, null, null, false),
                        new Row("say \"no\"\r\nor yes", Integer.MIN_VALUE, -0.0, null, null, null, false),
                        new Row("", 0, Double.NaN, null, null, null, false),
                        new Row("Größe 地震 🙂", -10, 100, null, null, null, false)));

        assertThat(file).hasContent("""
                name,n,mean,day,cost,kind,late
                plain,7,0.1,2018-01-31,1000,LARGE,true
                "a,b",,1.0E10,,,,false
                "say ""no""\r
                or yes",-2147483648,-0.0,,,,false
                "",0,NaN,,,,false
                Größe 地震 🙂,-10,100.0,,,,false
                """);
    }

    @Test
    void shouldWriteNamedColumnsWithAnotherDelimiter() throws Exception {
        Path file = directory.resolve("out.csv");
        Sink<Long> sink = Csv.<Long>write(file.toString())
                .column("n", n -> n)
                .column("n;squared", n -> n == 2 ? null : n * n)
                .delimiter(';');
        Writing.all(sink, List.of(1L, 2L, Long.MAX_VALUE, Long.MIN_VALUE));

        assertThat(file).hasContent("""
                n;"n;squared"
                1;1
                2;
                9223372036854775807;1
                -9223372036854775808;0
                """);
    }

    /** Numbers contain it. */
    @ParameterizedTest
    @ValueSource(chars = {'-', '7', '.', 'E'})
    void shouldQuoteNumbersThatContainTheDelimiter(char delimiter) throws Exception {
        record Pair(long whole, int small, double real) {}
        List<Pair> pairs = List.of(new Pair(-71, 7, -7.5e300), new Pair(5, -5, 1));
        String path = directory.resolve("out.csv").toString();

        Writing.all(Csv.write(path, Pair.class).delimiter(delimiter), pairs);

        FakeContext context = new FakeContext();
        assertThat(Reading.all(Csv.read(path, Pair.class).delimiter(delimiter), context))
                .isEqualTo(pairs);
        assertThat(context.reasons()).isEmpty();
    }

    private record Maybe(@Nullable String text) {}

    /** Its line would be empty, which readers skip. */
    @Test
    void shouldRefuseNullInTheOnlyColumn() throws Exception {
        Path file = directory.resolve("out.csv");
        for (Sink<Maybe> sink : List.of(
                Csv.write(file.toString(), Maybe.class),
                Csv.<Maybe>write(file.toString()).column("text", Maybe::text))) {
            SinkWriter<Maybe> writer = sink.open(context(0, 1));
            writer.write(new Maybe("a"));
            assertThatThrownBy(() -> writer.write(new Maybe(null)))
                    .isInstanceOf(BadRecordException.class)
                    .hasMessage("its only column is null, and readers of CSV skip an empty line; add a column, or write"
                            + " JSON lines");
            writer.write(new Maybe(""));
            writer.finish();
            writer.close();
            assertThat(file).hasContent("text\na\n\"\"\n");
        }
        assertThat(Csv.encoder(Maybe.class).open().encode(new Maybe(null))).isEmpty();
    }

    @Test
    void shouldKeepAByteOrderMarkAtTheBeginning() throws Exception {
        Path file = directory.resolve("out.csv");
        Maybe marked = new Maybe("\uFEFFa");
        Sink<Maybe> sink = Csv.<Maybe>write(file.toString()).column("\uFEFFtext", Maybe::text);
        Writing.all(sink, List.of(marked));
        assertThat(file).hasContent("\"\uFEFFtext\"\n\"\uFEFFa\"\n");
        byte[] message = Csv.encoder(Maybe.class).open().encode(marked);
        assertThat(Csv.decoder(Maybe.class).open().decode(message, 0, message.length))
                .isEqualTo(marked);
    }

    /** Otherwise each record would be an empty line. */
    @Test
    void shouldRefuseToWriteWithoutColumns() {
        Path file = directory.resolve("out.csv");
        Sink<Long> sink = Csv.write(file.toString());

        assertThatThrownBy(() -> Writing.all(sink, List.of(1L)))
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("out.csv")
                .hasMessageContaining("it has no columns; name a record class");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldRefuseTwoColumnsOfOneName() {
        assertThatThrownBy(() -> Csv.<Long>write("out.csv").column("n", n -> n).column("n", n -> n * n))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("two columns of out.csv are named 'n'");
    }

    @Test
    void shouldTakeNamesFromAnnotations() throws Exception {
        Path file = directory.resolve("out.csv");
        Writing.all(Csv.write(file.toString(), Cell.class), List.of(new Cell(10)));
        assertThat(file).hasContent("cell-id\n10\n");
    }

    @Test
    void shouldLeaveNothingBehindWhenItDoesNotFinish() throws Exception {
        Path file = Files.writeString(directory.resolve("out.csv"), "as it was");
        SinkWriter<Cell> writer = Csv.write(file.toString(), Cell.class).open(context(0, 1));
        writer.write(new Cell(1));
        assertThat(file).hasContent("as it was");
        writer.close();

        assertThat(file).hasContent("as it was");
        assertThat(files()).containsExactly("out.csv");
    }

    @Test
    void shouldTakeBackARowWhoseFunctionFails() throws Exception {
        Path file = directory.resolve("out.csv");
        SinkWriter<Long> writer = Csv.<Long>write(file.toString())
                .column("n", n -> n)
                .column("inverse", n -> 1 / n)
                .open(context(0, 1));
        writer.write(1L);
        assertThatThrownBy(() -> writer.write(0L)).isInstanceOf(ArithmeticException.class);
        writer.write(2L);
        writer.finish();
        writer.close();
        assertThat(file).hasContent("n,inverse\n1,1\n2,0\n");
    }

    @Test
    void shouldWriteToStandardOutputRowByRow() throws Exception {
        SinkWriter<Cell> writer = Csv.write("-", Cell.class).open(context(0, 1));
        writer.write(new Cell(1));
        assertThat(printed).hasToString("cell-id\n1\n");
        writer.finish();
        writer.close();
    }

    @Test
    void shouldWriteAPartATaskAndRemoveThoseOfALargerRun() throws Exception {
        Path out = directory.resolve("out");
        Sink<Cell> sink = Csv.write(out + "/", Cell.class);
        assertThat(sink.requiredParallelism()).isZero();
        for (int parallelism : new int[] {3, 2}) {
            for (int task = 0; task < parallelism; task++) {
                SinkWriter<Cell> writer = sink.open(context(task, parallelism));
                writer.write(new Cell(task));
                writer.finish();
                writer.close();
            }
        }
        assertThat(out).isDirectoryContaining("glob:**part-00000.csv").isDirectoryContaining("glob:**part-00001.csv");
        try (Stream<Path> parts = Files.list(out)) {
            assertThat(parts).hasSize(2);
        }
    }

    @Test
    void shouldTellInOneLineWhatCannotBeWritten() throws Exception {
        assertThatThrownBy(
                        () -> Csv.write(directory + "/no/out.csv", Cell.class).open(context(0, 1)))
                .isInstanceOf(ConnectorException.class)
                .hasMessage("cannot write " + directory + "/no/out.csv: there is no directory " + directory
                        + "/no; create it first");
        Files.writeString(directory.resolve("file"), "");
        assertThatThrownBy(() -> Csv.write(directory + "/file/", Cell.class).open(context(0, 1)))
                .hasMessage("cannot write " + directory + "/file/: " + directory + "/file is not a directory");
    }

    @Test
    void shouldTellThatTheDiskIsFull() throws Exception {
        SinkWriter<Cell> writer = Csv.write("/dev/full", Cell.class).open(context(0, 1));
        writer.write(new Cell(1));
        assertThatThrownBy(writer::finish)
                .isInstanceOf(ConnectorException.class)
                .hasMessage("cannot write /dev/full: No space left on device");
        writer.close();
    }

    private SinkContext context(int task, int parallelism) {
        return Writing.context(task, parallelism, printed);
    }

    private List<String> files() throws Exception {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
