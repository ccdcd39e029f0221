// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.files.record.Name;
import io.thalweg.testkit.contract.SourceContract;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CsvSourceTest {
    enum Kind {
        SMALL,
        LARGE
    }

    record Place(@Nullable String name, int n) {}

    record Kinds(
            long aLong,
            int anInt,
            short aShort,
            byte aByte,
            double aDouble,
            float aFloat,
            boolean yes,
            @Nullable Integer boxed,
            @Nullable BigDecimal decimal,
            @Nullable BigInteger big,
            @Nullable Kind kind,
            @Nullable LocalDate day,
            @Nullable Instant at,
            @Name("a text") @Nullable String text) {}

    @TempDir
    Path directory;

    private final FakeContext context = new FakeContext();

    @Test
    void shouldMatchColumnsByName() throws Exception {
        assertThat(places("n,other,name\n1,x,one\r\n2,,two\n3,\"x\",three"))
                .containsExactly(new Place("one", 1), new Place("two", 2), new Place("three", 3));
        assertThat(places("\ufeff\n\r\n\"name\",\"n\"\n\none,1\n\r\n")).containsExactly(new Place("one", 1));
        assertThat(context.bad).isEmpty();
    }

    @Test
    void shouldReadQuotedFields() throws Exception {
        assertThat(
                        places(
                                "name,n\n\"a,b\",\"1\"\n\"say \"\"no\"\"\",2\n\"\"\"\",3\n\"one\r\n\n\"\"two\",4\n\"\",5\n,6\n"))
                .containsExactly(
                        new Place("a,b", 1),
                        new Place("say \"no\"", 2),
                        new Place("\"", 3),
                        new Place("one\r\n\n\"two", 4),
                        new Place("", 5),
                        new Place(null, 6));
        assertThat(context.bad).isEmpty();
    }

    @Test
    void shouldReadEveryKindOfValue() throws Exception {
        Path file = write("aLong,anInt,aShort,aByte,aDouble,aFloat,yes,boxed,decimal,big,kind,day,at,a text\n"
                + "-9223372036854775808,2147483647,-32768,127,-0.1e-3,3.5,true,007,1.50,123456789012345678901,LARGE,"
                + "2024-02-29,2024-02-29T12:30:00Z,Größe 🙂\n"
                + "0,-0,00,-1,NaN,-Infinity,false,,,,,,,\n");
        assertThat(Reading.all(Csv.read(file.toString(), Kinds.class), context))
                .containsExactly(
                        new Kinds(
                                Long.MIN_VALUE,
                                Integer.MAX_VALUE,
                                Short.MIN_VALUE,
                                Byte.MAX_VALUE,
                                -0.1e-3,
                                3.5f,
                                true,
                                7,
                                new BigDecimal("1.50"),
                                new BigInteger("123456789012345678901"),
                                Kind.LARGE,
                                LocalDate.of(2024, 2, 29),
                                Instant.parse("2024-02-29T12:30:00Z"),
                                "Größe 🙂"),
                        new Kinds(
                                0,
                                0,
                                (short) 0,
                                (byte) -1,
                                Double.NaN,
                                Float.NEGATIVE_INFINITY,
                                false,
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                null));
        assertThat(context.bad).isEmpty();
    }

    @Test
    void shouldRefuseWhatIsNoNumber() throws Exception {
        List<String> numbers = List.of(
                "1.0",
                "1e3",
                "+1",
                " 1",
                "1 ",
                "-",
                "0x10",
                "2147483648",
                "-2147483649",
                "99999999999999999999",
                "١",
                "1_000",
                "\"\"",
                "null",
                "\"1\"\"\"");
        for (String number : numbers) {
            assertThat(places("name,n\na,1\nb," + number + "\nc,3\n"))
                    .as(number)
                    .containsExactly(new Place("a", 1), new Place("c", 3));
        }
        assertThat(context.reasons())
                .hasSize(numbers.size())
                .allMatch(reason -> reason.matches(
                        "byte [23], column 'n': a whole number that fits an int is expected, found '.*'"));
        record Double1(double x) {}
        Path file = write("x\n1.\n.5\n1e\n--1\n1e400\ninf\nnan\n1e+\n5\n");
        assertThat(Reading.all(Csv.read(file.toString(), Double1.class), context))
                .containsExactly(new Double1(5));
    }

    @Test
    void shouldTellWhereABadRowStands() throws Exception {
        Path file = write("name,n\n\"two\nlines\",1\nb,x\n\"three\n\nlines\",\"y\"\nc,3\nd\ne,5,6\n,\nf,6\n");
        assertThat(Reading.all(Csv.read(file.toString(), Place.class), context))
                .containsExactly(new Place("two\nlines", 1), new Place("c", 3), new Place("f", 6));
        assertThat(told())
                .containsExactly(
                        "line 4, offset 21: byte 2, column 'n': a whole number that fits an int is expected, found 'x'"
                                + " <b,x>",
                        "line 5, offset 25: byte 16, column 'n': a whole number that fits an int is expected, found 'y'"
                                + " <\"three\n\nlines\",\"y\">",
                        "line 9, offset 48: the row has 1 field, not 2 as the header <d>",
                        "line 10, offset 50: the row has 3 fields, not 2 as the header <e,5,6>",
                        "line 11, offset 56: byte 1, column 'n': it is empty, and its component is a primitive <,>");
    }

    @Test
    void shouldLoseOneLineToAQuoteThatIsAmiss() throws Exception {
        assertThat(places("name,n\na,1\n\"b,2\nc,3\nd,4\n")).hasSize(3).contains(new Place("c", 3));
        assertThat(places("name,n\na,1\n\"b,2\nc,3\n\"d\",4\n")).hasSize(3).contains(new Place("d", 4));
        assertThat(places("name,n\na\"b,1\nc,3\n")).containsExactly(new Place("c", 3));
        assertThat(places("name,n\n\"a\" ,1\nc,3\n")).containsExactly(new Place("c", 3));
        assertThat(places("name,n\na\rb,1\nc,3\n")).containsExactly(new Place("c", 3));
        assertThat(places("name,n\nc,3\nd,\"")).containsExactly(new Place("c", 3));
        assertThat(told())
                .containsExactly(
                        "line 3, offset 11: byte 0: the quote opened here is not closed before the input ends <\"b,2>",
                        "line 3, offset 11: byte 10: a field continues after its closing quote <\"b,2>",
                        "line 2, offset 7: byte 1: a quote in a field that does not begin with one <a\"b,1>",
                        "line 2, offset 7: byte 3: a field continues after its closing quote <\"a\" ,1>",
                        "line 2, offset 7: byte 1: a carriage return outside quotes <a\rb,1>",
                        "line 3, offset 11: byte 2: the quote opened here is not closed before the input ends <d,\">");
    }

    @Test
    void shouldNotLookForAQuoteWithoutLimit() throws Exception {
        Path file = write("name,n\n\"b,2\n" + "c,3\n".repeat(1000) + "\"" + "d".repeat(200) + "\",4\ne,5\n");
        assertThat(Reading.all(Csv.read(file.toString(), Place.class).maxRecordBytes(100), context))
                .hasSize(1001);
        assertThat(told())
                .containsExactly(
                        "line 2, offset 7: byte 0: the quote opened here is not closed within 100 bytes <\"b,2>",
                        "line 1003, offset 4012: the line is longer than 100 bytes <\"" + "d".repeat(200) + "\",4>");
    }

    @Test
    void shouldTellThatAColumnIsNotThere() throws Exception {
        Path file = write("id;Name;n\n1;2;3\n");
        assertThatThrownBy(
                        () -> Reading.all(Csv.read(file.toString(), Place.class).delimiter(';'), context))
                .isInstanceOf(ConnectorException.class)
                .hasMessage("cannot read " + file + ": there is no column 'name', which record Place needs; the columns"
                        + " are 'id', 'Name', 'n'");
        assertThatThrownBy(() -> places("name,n,n\n"))
                .isInstanceOf(ConnectorException.class)
                .hasMessageEndingWith(": two columns are named 'n'");
        assertThatThrownBy(() -> places("name,\"n\n1,2\n"))
                .isInstanceOf(ConnectorException.class)
                .hasMessageEndingWith(": the header is malformed: byte 5: the quote opened here is not closed before"
                        + " the input ends");
    }

    @Test
    void shouldReadFilesWithoutHeader() throws Exception {
        Path file = write("a\t1\n\t2\nb\tc\td\n");
        assertThat(Reading.all(
                        Csv.read(file.toString(), Place.class).withoutHeader().delimiter('\t'), context))
                .containsExactly(new Place("a", 1), new Place(null, 2));
        assertThat(context.reasons()).containsExactly("the row has 3 fields, not 2 as record Place");
    }

    @Test
    void shouldReadNothingFromAnEmptyFile() throws Exception {
        assertThat(places("")).isEmpty();
        assertThat(places("\n\n")).isEmpty();
        assertThat(places("name,n")).isEmpty();
        assertThat(context.bad).isEmpty();
    }

    @Test
    void shouldTellOfARecordThatCannotBeReadWhenTheSourceIsMade() {
        record Odd(int x, List<String> names) {}
        assertThatThrownBy(() -> Csv.read("x", Odd.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("record Odd, component 'names': java.util.List cannot be read from CSV");
        assertThatThrownBy(() -> Csv.read("x", Place.class).delimiter('"')).hasMessageContaining("delimiter");
    }

    @Test
    void shouldReadBackWhatIsWritten() throws Exception {
        Path file = directory.resolve("out.csv");
        List<Kinds> rows = List.of(
                new Kinds(
                        1,
                        2,
                        (short) 3,
                        (byte) 4,
                        0.1,
                        1e-9f,
                        true,
                        5,
                        BigDecimal.TEN,
                        BigInteger.ONE,
                        Kind.SMALL,
                        LocalDate.EPOCH,
                        Instant.EPOCH,
                        "a \"b\",\r\nc"),
                new Kinds(
                        -1,
                        0,
                        (short) 0,
                        (byte) 0,
                        Double.MIN_VALUE,
                        Float.MAX_VALUE,
                        false,
                        null,
                        new BigDecimal("1E+9"),
                        null,
                        null,
                        null,
                        null,
                        ""),
                new Kinds(
                        0,
                        0,
                        (short) 0,
                        (byte) 0,
                        Double.NEGATIVE_INFINITY,
                        Float.NaN,
                        false,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null));
        Writing.all(Csv.write(file.toString(), Kinds.class), rows);
        assertThat(Reading.all(Csv.read(file.toString(), Kinds.class), context).toString())
                .isEqualTo(rows.toString().replace("1E+9", "1000000000"));
    }

    @Test
    void shouldReadRandomRowsFromAnyPosition() throws Exception {
        long seed = Long.getLong("thalweg.seed", 20_261_121L);
        for (int file = 0; file < 10; file++) {
            Random random = new Random(seed + file);
            List<Place> rows = new ArrayList<>();
            String text = RandomCsv.text(random, rows, 40, 12);
            for (Path path : List.of(write(text), gzip(text))) {
                assertThat(Reading.all(Csv.read(path.toString(), Place.class), context))
                        .as("seed " + (seed + file))
                        .isEqualTo(rows);
                SourceContract.checkReplay(
                        Csv.read(path.toString(), Place.class).maxRecordBytes(1000));
            }
        }
        assertThat(context.bad).isEmpty();
    }

    @Test
    void shouldReadRowsThatSpanBuffers() throws Exception {
        List<Place> rows = new ArrayList<>();
        String text = RandomCsv.text(new Random(1), rows, 60, 100_000);
        for (Path path : List.of(write(text), gzip(text))) {
            assertThat(Reading.all(Csv.read(path.toString(), Place.class), context))
                    .isEqualTo(rows);
        }
        assertThat(context.bad).isEmpty();
    }

    private List<Place> places(String text) throws Exception {
        return Reading.all(Csv.read(write(text).toString(), Place.class), context);
    }

    private Path write(String text) throws IOException {
        return Files.writeString(directory.resolve("in.csv"), text);
    }

    private Path gzip(String text) throws IOException {
        Path file = directory.resolve("in.csv.gz");
        try (GZIPOutputStream packed = new GZIPOutputStream(Files.newOutputStream(file))) {
            packed.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return file;
    }

    private List<String> told() {
        return context.bad.stream().map(CsvSourceTest::tell).toList();
    }

    private static String tell(BadRecord bad) {
        return "line " + bad.line() + ", offset " + bad.offset() + ": " + bad.reason() + " <"
                + new String(bad.bytes(), StandardCharsets.UTF_8) + ">";
    }
}
