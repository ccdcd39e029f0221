// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.columnar.Everything;
import io.thalweg.columnar.FakeContext;
import io.thalweg.columnar.Others;
import io.thalweg.columnar.Others.Flat;
import io.thalweg.columnar.Others.Nested;
import io.thalweg.columnar.PageCodec;
import io.thalweg.files.record.Name;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is written is read back. */
final class WritingTest {
    @TempDir
    Path folder;

    private final FakeContext context = new FakeContext();

    private String path() {
        return folder.resolve("out.parquet").toString();
    }

    private static <R> void write(ParquetSink<R> sink, List<R> records) throws Exception {
        SinkWriter<R> writer = sink.open(new SinkContext("job", "sink", 0, 1, System.err));
        try {
            for (R record : records) {
                writer.write(record);
            }
            writer.finish();
        } finally {
            writer.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadBackWhatItWrote(PageCodec packing) throws Exception {
        write(Parquet.write(path(), Flat.class).codec(packing), Others.flat());
        assertThat(context.all(Parquet.read(path(), Flat.class))).isEqualTo(Others.flat());
    }

    @Test
    void shouldReadBackListsMapsAndRecordsInEachOther() throws Exception {
        write(Parquet.write(path(), Nested.class), Others.nested());
        assertThat(context.all(Parquet.read(path(), Nested.class)).stream().map(Nested::text))
                .isEqualTo(Others.nested().stream().map(Nested::text).toList());
    }

    @Test
    void shouldReadBackEveryType() throws Exception {
        List<Everything> all = Everything.some(200);
        write(Parquet.write(path(), Everything.class).nanoseconds().decimals(38, 3), all);
        assertThat(context.all(Parquet.read(path(), Everything.class))).isEqualTo(all);
        assertThat(context.bad).isEmpty();
    }

    @Test
    void shouldWriteManyRowGroups_andReadThemInSeveralSplits() throws Exception {
        List<Flat> rows = Stream.iterate(0, i -> i < 50, i -> i + 1)
                .flatMap(i -> Others.flat().stream())
                .toList();
        write(Parquet.write(path(), Flat.class).rowGroupBytes(2_000), rows);
        assertThat(Parquet.read(path(), Flat.class).splits(1)).hasSize(8);
        assertThat(context.all(Parquet.read(path(), Flat.class))).isEqualTo(rows);
    }

    record Inner(int b) {}

    record Dotted(
            @Name("a.b") int whole, Inner a, @Name("a.b.c") String text) {}

    @Test
    void shouldTellAColumnWithADotInItsNameFromOneWithinARecord() throws Exception {
        List<Dotted> rows = List.of(new Dotted(1, new Inner(2), "x"), new Dotted(3, new Inner(4), "y"));
        write(Parquet.write(path(), Dotted.class), rows);
        assertThat(context.all(Parquet.read(path(), Dotted.class))).isEqualTo(rows);
    }

    record Large(byte[] bytes) {}

    @Test
    void shouldWritePagesAndRowGroupsOfFewRows_whereRowsAreLarge() throws Exception {
        Random random = new Random(7);
        List<Large> rows = Stream.generate(() -> {
                    byte[] bytes = new byte[100_000];
                    random.nextBytes(bytes);
                    return new Large(bytes);
                })
                .limit(110)
                .toList();
        write(Parquet.write(path(), Large.class).rowGroupBytes(4_000_000), rows);

        ParquetSource<Large> source = Parquet.read(path(), Large.class).maxPageBytes(2_500_000);
        assertThat(source.splits(1)).hasSizeGreaterThan(1);
        assertThat(context.all(source).stream().map(row -> ByteBuffer.wrap(row.bytes)))
                .isEqualTo(rows.stream().map(row -> ByteBuffer.wrap(row.bytes)).toList());
    }

    @Test
    void shouldWriteAFileWithoutRows() throws Exception {
        write(Parquet.write(path(), Flat.class), List.of());
        assertThat(context.all(Parquet.read(path(), Flat.class))).isEmpty();
    }

    record Money(BigDecimal amount, @Nullable Instant at) {}

    @Test
    void shouldLeaveOutARecordThatDoesNotFit() throws Exception {
        Money good = new Money(new BigDecimal("1.25"), null);
        SinkWriter<Money> writer = Parquet.write(path(), Money.class)
                .decimals(5, 2)
                .open(new SinkContext("job", "sink", 0, 1, System.err));
        writer.write(good);
        assertBad(
                writer,
                new Money(new BigDecimal("1.234"), null),
                "'amount': 1.234 does not fit a decimal of 5 digits, 2 of them after the point; see decimals");
        assertBad(
                writer,
                new Money(new BigDecimal("1e999999999"), null),
                "'amount': 1E+999999999 does not fit a decimal of 5 digits, 2 of them after the point; see decimals");
        assertBad( // to give it a scale would take hours
                writer,
                new Money(BigDecimal.valueOf(1, 500_000_000), null),
                "'amount': 1E-500000000 does not fit a decimal of 5 digits, 2 of them after the point; see decimals");
        assertBad(
                writer,
                new Money(BigDecimal.ONE, Instant.ofEpochSecond(0, 1)),
                "'at': 1970-01-01T00:00:00.000000001Z is out of range or finer than a microsecond; truncate it, or see"
                        + " nanoseconds");
        writer.write(good);
        writer.finish();
        writer.close();
        assertThat(context.all(Parquet.read(path(), Money.class))).containsExactly(good, good);
    }

    private static void assertBad(SinkWriter<Money> writer, Money record, String reason) {
        assertThatThrownBy(() -> writer.write(record))
                .isInstanceOf(BadRecordException.class)
                .hasMessage(reason);
    }

    @Test
    void shouldRefuseASingleFile_inAJobThatTakesCheckpoints() throws IOException {
        SinkContext checkpoints =
                new SinkContext("job", "sink", 0, 1, System.err, null, Guarantee.EXACTLY_ONCE, 0, "run");
        assertThatThrownBy(() -> Parquet.write(path(), Flat.class).open(checkpoints))
                .hasMessage("cannot write " + path()
                        + " in a job that takes checkpoints: such a file is unreadable"
                        + " without its end, so it cannot be restored; write a directory of parts, " + path() + "/");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    record Nothing() {}

    record Around(int id, Nothing nothing) {}

    @Test
    void shouldRefuseARecordWithoutComponents() {
        for (Class<?> type : List.of(Nothing.class, Around.class)) {
            assertThatThrownBy(() -> Parquet.write(path(), type))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("record Nothing has no components, and Parquet has no records without columns");
        }
    }

    @Test
    void shouldRefuseRowGroupsThatFitNoArray() {
        for (long bytes : new long[] {0, (1L << 30) + 1}) {
            assertThatThrownBy(() -> Parquet.write(path(), Flat.class).rowGroupBytes(bytes))
                    .hasMessage("rowGroupBytes must be from 1 to 1073741824, not " + bytes);
        }
    }

    @Test
    void shouldRefuseStandardOutput() {
        assertThatThrownBy(() -> Parquet.write("-", Flat.class))
                .hasMessageStartingWith("cannot write Parquet to standard output: ");
    }
}
