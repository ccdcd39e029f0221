// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.Source;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.files.record.Epoch;
import io.thalweg.files.record.Pattern;
import io.thalweg.testkit.contract.SourceContract;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where records stood, what stands beside them in CSV, and dates in forms of their own. */
final class PlacesTest {
    record Place(String name, int n) {}

    @TempDir
    Path directory;

    private final FakeContext context = new FakeContext();

    @Test
    void shouldSayWhereEachRecordStood() throws Exception {
        String text = write("a.txt", "one\n\nthree");
        assertThat(Reading.all(TextLines.read(text).withPosition(), context))
                .containsExactly(
                        new Located<>(text, 1, 0, "one"),
                        new Located<>(text, 2, 4, ""),
                        new Located<>(text, 3, 5, "three"));
        String csv = write("a.csv", "name,n\n\"two\nlines\",1\n\nb,x\nc,3\n");
        assertThat(Reading.all(Csv.read(csv, Place.class).withPosition(), context))
                .containsExactly(
                        new Located<>(csv, 2, 7, new Place("two\nlines", 1)),
                        new Located<>(csv, 6, 26, new Place("c", 3)));
        String json = write("a.jsonl", "\n{\"name\":\"a\",\"n\":1}\n");
        assertThat(Reading.all(JsonLines.read(json, Place.class).withPosition(), context))
                .containsExactly(new Located<>(json, 2, 1, new Place("a", 1)));
        Type<Located<Place>> type = Csv.read(csv, Place.class).withPosition().type();
        Located<Place> located = new Located<>(csv, 1, 2, new Place("a", 1));
        assertThat(type.codec().copy(located)).isEqualTo(located);
        SourceContract.checkReplay(TextLines.read(text).withPosition());
        SourceContract.checkReplay(Csv.read(csv, Place.class).withPosition());
    }

    /** A variable of the shell that is not set; the working directory would be read, or filled with parts. */
    @Test
    void shouldRefuseAnEmptyPath() {
        assertThatThrownBy(() -> TextLines.read(""))
                .hasMessage("the path of an input is empty; name a file, a directory, or - for standard input");
        assertThatThrownBy(() -> TextLines.write(""))
                .hasMessage("the path of an output is empty; name a file, a directory, or - for standard output");
    }

    @Test
    void shouldLeaveOutCommentsAndLeadingLines() throws Exception {
        String file = write("a.csv", """
                Exported "today, by Ann
                # the second
                # before the header
                name,n
                #x,1
                "#y",2
                a#,3
                "two
                # lines",4
                #""");
        assertThat(Reading.all(Csv.read(file, Place.class).skipLines(2).comments('#'), context))
                .containsExactly(new Place("#y", 2), new Place("a#", 3), new Place("two\n# lines", 4));
        assertThat(context.reasons()).isEmpty();
        SourceContract.checkReplay(Csv.read(file, Place.class).skipLines(2).comments('#'));
        String bare = write("bare.csv", "title\na,1\n# no\nb,2\n");
        assertThat(Reading.all(
                        Csv.read(bare, Place.class).withoutHeader().skipLines(1).comments('#'), context))
                .containsExactly(new Place("a", 1), new Place("b", 2));
        assertThat(Reading.all(Csv.read(write("short.csv", "x\n"), Place.class).skipLines(5), context))
                .isEmpty();
        assertThatThrownBy(() -> Csv.read(file, Place.class).comments(','))
                .hasMessage("comments begin with a character of ASCII, neither a quote nor the delimiter");
        assertThatThrownBy(() -> Csv.read(file, Place.class).skipLines(-1))
                .hasMessage("skipLines must not be negative, and is -1");
    }

    record Forms(
            @Pattern("dd.MM.yyyy HH:mm") LocalDateTime local,

            @Pattern(value = "d. MMMM yyyy HH:mm", zone = "Europe/Berlin", locale = "de") Instant german,

            @Pattern("yyyy-MM-dd HH:mm Z") Instant zoned,
            @Epoch(ChronoUnit.SECONDS) Instant seconds,
            @Epoch(ChronoUnit.MILLIS) Instant millis) {}

    private static final Forms FORMS = new Forms(
            LocalDateTime.parse("2024-02-29T13:05"),
            Instant.parse("2024-07-01T06:30:00Z"),
            Instant.parse("2024-02-29T11:00:00Z"),
            Instant.parse("2018-01-31T00:00:00.5Z"),
            Instant.parse("1969-12-31T23:59:59.999Z"));

    @Test
    void shouldReadAndWriteDatesInAnyForm() throws Exception {
        String csv = write("in.csv", """
                local,german,zoned,seconds,millis
                29.02.2024 13:05,1. Juli 2024 08:30,2024-02-29 12:00 +0100,1517356800.5,-1
                """);
        assertThat(Reading.all(Csv.read(csv, Forms.class), context)).containsExactly(FORMS);
        Path out = directory.resolve("out.jsonl");
        Writing.all(JsonLines.write(out.toString(), Forms.class), List.of(FORMS));
        assertThat(out).hasContent("""
                {"local":"29.02.2024 13:05","german":"1. Juli 2024 08:30","zoned":"2024-02-29 11:00 +0000",\
                "seconds":1517356800.5,"millis":-1}
                """);
        assertThat(Reading.all(JsonLines.read(out.toString(), Forms.class), context))
                .containsExactly(FORMS);
    }

    record Day(
            @Pattern("dd.MM.yyyy") LocalDate day,
            @Epoch(ChronoUnit.SECONDS) Instant at) {}

    @Test
    void shouldRefuseDatesThatDoNotExist() throws Exception {
        String csv = write("in.csv", "day,at\n31.04.2024,1\n1.4.2024,1\n01.04.24,1\n01.04.2024,x\n01.04.2024,1e300\n");
        assertThat(Reading.all(Csv.read(csv, Day.class), context)).isEmpty();
        String expected = "byte 0, column 'day': a text such as 29.02.2024 is expected, found '";
        assertThat(context.reasons())
                .containsExactly(
                        expected + "31.04.2024'",
                        expected + "1.4.2024'",
                        expected + "01.04.24'",
                        "byte 11, column 'at': a number of Seconds since 1970 is expected, found 'x'",
                        "byte 11, column 'at': a number of Seconds since 1970 is expected, found '1e300'");
    }

    private record Years(
            @Pattern("dd.MM.yyyy") LocalDate full,
            @Pattern("yy-MM-dd") LocalDate two,

            @Pattern(value = "d.M.yyyy HH:mm", zone = "+09:00") Instant zoned) {}

    @Test
    void shouldRefuseYearsThatWouldBeReadAsOthers() throws Exception {
        LocalDate full = LocalDate.of(1, 1, 1);
        LocalDate two = LocalDate.of(2099, 12, 31);
        Instant zoned = Instant.parse("0000-12-31T20:00:00Z");
        for (boolean csv : new boolean[] {true, false}) {
            Path out = directory.resolve(csv ? "out.csv" : "out.jsonl");
            Sink<Years> sink =
                    csv ? Csv.write(out.toString(), Years.class) : JsonLines.write(out.toString(), Years.class);
            SinkWriter<Years> writer = sink.open(Writing.context(0, 1, new ByteArrayOutputStream()));
            writer.write(new Years(full, two, zoned));
            assertThatThrownBy(() -> writer.write(new Years(full.minusDays(1), two, zoned)))
                    .isInstanceOf(BadRecordException.class)
                    .hasMessage(
                            "the year of 0000-12-31 would be read as another one: @Pattern(\"dd.MM.yyyy\") writes no era");
            assertThatThrownBy(() -> writer.write(new Years(full, two.plusDays(1), zoned)))
                    .isInstanceOf(BadRecordException.class)
                    .hasMessage(
                            "the year of 2100-01-01 would be read as another one: @Pattern(\"yy-MM-dd\") writes two digits"
                                    + " of it");
            assertThatThrownBy(() -> writer.write(new Years(full, two, zoned.minusSeconds(20_000))))
                    .isInstanceOf(BadRecordException.class)
                    .hasMessageContaining(" writes no era");
            writer.finish();
            writer.close();
            Source<Years> source =
                    csv ? Csv.read(out.toString(), Years.class) : JsonLines.read(out.toString(), Years.class);
            assertThat(Reading.all(source, context)).containsExactly(new Years(full, two, zoned));
        }
    }

    @Test
    void shouldRefusePatternsThatCannotBe() {
        record OfWeek(@Pattern("YYYY-MM-dd") LocalDate at) {}
        record NoZone(@Pattern("dd.MM.yyyy HH:mm") Instant at) {}
        record Wrong(@Pattern("dd.bb") LocalDate at) {}
        record NoDate(@Pattern("dd.MM.yyyy") String at) {}
        record Unknown(
                @Pattern(value = "dd.MM.yyyy HH:mm", zone = "Berlin") Instant at) {}
        record TooMuch(
                @Pattern(value = "dd.MM.yyyy", zone = "UTC") LocalDate at) {}
        record Days(@Epoch(ChronoUnit.DAYS) Instant at) {}
        record Number(@Epoch(ChronoUnit.SECONDS) long at) {}
        refused(
                NoZone.class,
                "@Pattern(\"dd.MM.yyyy HH:mm\") does not say which zone its times are in; add zone = \"UTC\"");
        refused(Wrong.class, "@Pattern(\"dd.bb\"): Unknown pattern letter: b");
        refused(
                OfWeek.class,
                "@Pattern(\"YYYY-MM-dd\"): Y is the year of a week, which at its turn is not that of the day");
        refused(NoDate.class, "@Pattern is for the dates and times of java.time");
        refused(Unknown.class, "@Pattern(\"dd.MM.yyyy HH:mm\"): Unknown time-zone ID: Berlin");
        refused(TooMuch.class, "@Pattern says a zone, and LocalDate has none; use Instant or ZonedDateTime");
        refused(Days.class, "@Epoch counts SECONDS, MILLIS, MICROS or NANOS, not Days");
        refused(Number.class, "@Epoch is for an Instant without @Pattern");
    }

    private static void refused(Class<?> type, String reason) {
        String message = "record " + type.getSimpleName() + ", component 'at': " + reason;
        assertThatThrownBy(() -> Csv.read("in.csv", type)).hasMessageStartingWith(message);
        assertThatThrownBy(() -> JsonLines.write("out.jsonl", type)).hasMessageStartingWith(message);
    }

    private String write(String name, String text) throws Exception {
        return Files.writeString(directory.resolve(name), text).toString();
    }
}
