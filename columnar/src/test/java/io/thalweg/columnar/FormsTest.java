// SPDX-License-Identifier: Apache-2.0
package io.thalweg.columnar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.avro.Avro;
import io.thalweg.files.record.Epoch;
import io.thalweg.files.record.Pattern;
import io.thalweg.parquet.Parquet;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Dates and times in forms of their own, as in JSON and CSV. */
final class FormsTest {
    enum Form {
        PARQUET,
        AVRO;

        <R> Source<R> read(String path, Class<R> type) {
            return this == PARQUET ? Parquet.read(path, type) : Avro.read(path, type);
        }

        <R> Sink<R> write(String path, Class<R> type) {
            return this == PARQUET ? Parquet.write(path, type) : Avro.write(path, type);
        }
    }

    record Formed(
            @Pattern("dd.MM.yyyy") LocalDate day,

            @Pattern(value = "yyyyMMdd HHmmss", zone = "UTC") Optional<Instant> from,

            @Epoch(ChronoUnit.SECONDS) @Nullable Instant seconds,

            @Epoch(ChronoUnit.MILLIS) Instant millis) {}

    /** The columns of {@link Formed} as they stand. */
    record Plain(
            String day, @Nullable String from, @Nullable Long seconds, long millis) {}

    private static final List<Formed> FORMED = List.of(
            new Formed(
                    LocalDate.of(2024, 2, 29),
                    Optional.of(Instant.parse("2024-02-29T12:30:00Z")),
                    Instant.ofEpochSecond(1_517_356_800),
                    Instant.ofEpochMilli(-1)),
            new Formed(LocalDate.of(1999, 12, 31), Optional.empty(), null, Instant.EPOCH));

    private static final List<Plain> PLAIN = List.of(
            new Plain("29.02.2024", "20240229 123000", 1_517_356_800L, -1), new Plain("31.12.1999", null, null, 0));

    @TempDir
    Path folder;

    private final FakeContext context = new FakeContext();

    private String path() {
        return folder.resolve("rows").toString();
    }

    private <R> void write(Form form, Class<R> type, List<R> rows) throws Exception {
        SinkWriter<R> writer = form.write(path(), type).open(new SinkContext("job", "sink", 0, 1, System.err));
        try {
            for (R row : rows) {
                writer.write(row);
            }
            writer.finish();
        } finally {
            writer.close();
        }
    }

    record Small(byte millis) {}

    record Large(long millis) {}

    /** A task has more to do, such as to end or to take a checkpoint. */
    @ParameterizedTest
    @EnumSource
    void shouldReturnWhereManyRecordsAreBad(Form form) throws Exception {
        List<Large> rows =
                LongStream.range(0, 2_000).mapToObj(i -> new Large(i + 1_000)).toList();
        write(form, Large.class, rows);
        Source<Small> source = form.read(path(), Small.class);
        SplitReader<Small> reader = source.open(source.splits(1).get(0), context);

        assertThat(reader.poll()).isNull();
        assertThat(reader.finished()).isFalse();
        assertThat(context.bad).hasSizeBetween(1, 1_000);
        reader.close();
        context.bad.clear();
        assertThat(context.all(source)).isEmpty();
        assertThat(context.bad).hasSize(2_000);
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadTextsAndNumbersInTheirForms(Form form) throws Exception {
        write(form, Plain.class, PLAIN);
        assertThat(context.all(form.read(path(), Formed.class))).isEqualTo(FORMED);
    }

    @ParameterizedTest
    @EnumSource
    void shouldWriteTextsAndNumbersInTheirForms(Form form) throws Exception {
        write(form, Formed.class, FORMED);
        assertThat(context.all(form.read(path(), Plain.class))).isEqualTo(PLAIN);
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseValuesInAnotherForm_oneByOne(Form form) throws Exception {
        write(
                form,
                Plain.class,
                List.of(
                        new Plain("31.04.2024", null, null, 0),
                        new Plain("2024-02-29".repeat(5), null, null, 0),
                        new Plain("01.01.2024", null, Long.MAX_VALUE, 0)));
        assertThat(context.all(form.read(path(), Formed.class))).isEmpty();
        assertThat(context.bad.stream().map(each -> each.reason()))
                .containsExactly(
                        "'day': a text such as 29.02.2024 is expected, found '31.04.2024'",
                        "'day': a text such as 29.02.2024 is expected, found '" + "2024-02-29".repeat(4) + "…'",
                        "'seconds': a number of Seconds since 1970 is expected, found 9223372036854775807");
    }

    record Dated(LocalDate day, Instant at) {}

    record Patterned(@Pattern("dd.MM.yyyy") LocalDate day) {}

    record Counted(@Epoch(ChronoUnit.SECONDS) Instant at) {}

    @ParameterizedTest
    @EnumSource
    void shouldRefuseAColumnThatAFormIsNotFor_whenTheJobStarts(Form form) throws Exception {
        write(form, Dated.class, List.of(new Dated(LocalDate.EPOCH, Instant.EPOCH)));
        assertThatThrownBy(() -> form.read(path(), Patterned.class).splits(1))
                .hasMessageStartingWith("cannot read " + path() + ": column 'day' is int")
                .hasMessageEndingWith(
                        ", and the record declares LocalDate with @Pattern, which is for texts; remove @Pattern");
        assertThatThrownBy(() -> form.read(path(), Counted.class).splits(1))
                .hasMessageStartingWith("cannot read " + path() + ": column 'at' is ")
                .hasMessageEndingWith(
                        ", and the record declares Instant with @Epoch, which is for plain numbers; remove @Epoch");
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseAnInstantThatIsFinerThanItsUnit(Form form) throws Exception {
        SinkWriter<Counted> writer =
                form.write(path(), Counted.class).open(new SinkContext("job", "sink", 0, 1, System.err));
        try {
            assertThatThrownBy(() -> writer.write(new Counted(Instant.ofEpochMilli(1_500))))
                    .isInstanceOf(BadRecordException.class)
                    .hasMessage("'at': 1970-01-01T00:00:01.500Z is finer than Seconds, or out of their range;"
                            + " truncate it, or use a smaller unit in @Epoch");
        } finally {
            writer.close();
        }
    }

    record Halves(@Epoch(ChronoUnit.SECONDS) Instant at) {}

    record Doubles(double at) {}

    @ParameterizedTest
    @EnumSource
    void shouldReadSecondsWithDecimals(Form form) throws Exception {
        write(form, Doubles.class, List.of(new Doubles(1_517_356_800.5), new Doubles(Double.NaN)));
        assertThat(context.all(form.read(path(), Halves.class)))
                .containsExactly(new Halves(Instant.parse("2018-01-31T00:00:00.5Z")));
        assertThat(context.bad.get(0).reason())
                .isEqualTo("'at': a number of Seconds since 1970 is expected, found NaN");
    }
}
