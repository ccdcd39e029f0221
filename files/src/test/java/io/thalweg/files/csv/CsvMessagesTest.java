// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.Encoder;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.files.Csv;
import io.thalweg.files.input.LineInput;
import io.thalweg.files.record.MalformedException;
import io.thalweg.files.record.Name;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages beside files of one row each: the same records, and the same reasons. */
final class CsvMessagesTest {
    private static final long SEED = Long.getLong("thalweg.seed", 20_261_126L);

    private static final String[] COLUMNS = OrdinaryRowsTest.HEADER.strip().split(",");

    private static final String CONTINUES =
            ": the message continues after its row; a message is one row, without a header";

    record Sale(
            @Nullable String shop,
            @Nullable LocalDate day,
            @Nullable BigDecimal amount,
            Price price) {}

    record Price(long cents, @Nullable @Name("cur") String currency) {}

    record Two(String name, long n) {}

    record One(@Nullable String only) {}

    record Needed(String only) {}

    @TempDir
    Path directory;

    @Test
    void shouldReadMessagesAsFilesOfOneRow() throws Exception {
        Random random = new Random(SEED);
        byte[] special = {'"', ',', '\n', '\r', 0, (byte) 0x80, (byte) 0xc3, (byte) 0xff, ' ', '-', '.', '9'};
        Decoder.Decoding<OrdinaryRowsTest.Kinds> decoding =
                Csv.decoder(OrdinaryRowsTest.Kinds.class).header(COLUMNS).open();
        int good = 0;
        int bad = 0;
        int rejected = 0;
        for (int round = 0; round < 3_000; round++) {
            StringBuilder text = new StringBuilder();
            OrdinaryRowsTest.row(random, text);
            byte[] row = (random.nextBoolean() ? text.toString().stripTrailing() : text.toString())
                    .getBytes(StandardCharsets.UTF_8);
            for (int i = random.nextInt(6) - 4; i >= 0; i--) {
                row[random.nextInt(row.length)] = special[random.nextInt(special.length)];
            }
            List<String> expected = inAFile(row);
            String found = decoded(decoding, row);
            if (found.endsWith(CONTINUES)) {
                assertThat(expected).as(shown(row)).hasSizeGreaterThan(1);
                rejected++;
            } else {
                assertThat(found).as(shown(row)).isEqualTo(expected.get(0));
                // What follows a quote that nobody closes is read by itself in a file, and belongs to the message here.
                assertThat(expected.size() == 1 || found.startsWith("bad "))
                        .as(shown(row))
                        .isTrue();
                good += found.startsWith("bad ") ? 0 : 1;
                bad += found.startsWith("bad ") ? 1 : 0;
            }
        }
        assertThat(List.of(good > 500, bad > 200, rejected > 20))
                .as(good + " " + bad + " " + rejected)
                .containsOnly(true);
    }

    private static String shown(byte[] row) {
        return "seed " + SEED + ": " + new String(row, StandardCharsets.UTF_8);
    }

    /** What the reader of files makes of it, which skips blank lines. */
    private List<String> inAFile(byte[] row) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(OrdinaryRowsTest.HEADER.getBytes(StandardCharsets.UTF_8));
        bytes.writeBytes(row);
        Path file = Files.write(directory.resolve("row.csv"), bytes.toByteArray());
        List<String> events = new ArrayList<>();
        try (LineInput lines = LineInput.open(file.toString(), 1_000_000)) {
            CsvParser<OrdinaryRowsTest.Kinds> parser =
                    CsvParser.open(lines, OrdinaryRowsTest.Kinds.class, CsvLayout.DEFAULT);
            while (lines.next() == LineInput.Found.LINE) {
                try {
                    OrdinaryRowsTest.Kinds record = parser.parse(lines);
                    events.add(record == null ? "bad the row has 1 field, not 17 as the header" : record.toString());
                } catch (MalformedException e) {
                    events.add("bad " + e.getMessage());
                }
            }
        }
        return events;
    }

    /** From the middle of an array, as messages are. */
    private static String decoded(Decoder.Decoding<?> decoding, byte[] message) throws Exception {
        byte[] around = new byte[message.length + 12];
        Arrays.fill(around, (byte) '7');
        System.arraycopy(message, 0, around, 5, message.length);
        byte[] before = around.clone();
        try {
            return String.valueOf(decoding.decode(around, 5, 5 + message.length));
        } catch (BadRecordException e) {
            assertThat(e.bytes()).isEqualTo(message);
            return "bad " + e.getMessage();
        } finally {
            assertThat(around).isEqualTo(before);
        }
    }

    private static String decoded(Decoder.Decoding<?> decoding, String message) throws Exception {
        return decoded(decoding, message.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldTakeTheFieldsInTheOrderOfTheComponents() throws Exception {
        Decoder.Decoding<Sale> decoding = Csv.decoder(Sale.class).delimiter(';').open();

        assertThat(decoded(decoding, "\"n;\"\"orth\"\"\";2024-02-29;1.50;7;EUR"))
                .isEqualTo("Sale[shop=n;\"orth\", day=2024-02-29, amount=1.50, price=Price[cents=7, currency=EUR]]");
        assertThat(decoded(decoding, ";;;7;"))
                .isEqualTo("Sale[shop=null, day=null, amount=null, price=Price[cents=7, currency=null]]");
        assertThat(decoded(decoding, "a;b;c")).isEqualTo("bad the row has 3 fields, not 5 as record Sale");
        assertThat(decoded(decoding, ";;;seven;"))
                .isEqualTo(
                        "bad byte 3, column 'price.cents': a whole number that fits a long is expected, found 'seven'");
        assertThat(decoded(decoding, "")).isEqualTo("bad the row has 1 field, not 5 as record Sale");
    }

    @Test
    void shouldMatchTheFieldsOfAHeaderByName() throws Exception {
        Decoder.Decoding<Two> decoding =
                Csv.decoder(Two.class).header("x", "n", "y", "name").open();

        assertThat(decoded(decoding, ",7,,a")).isEqualTo("Two[name=a, n=7]");
        assertThat(decoded(decoding, "7,a")).isEqualTo("bad the row has 2 fields, not 4 as the header");
        assertThatThrownBy(() -> Csv.decoder(Two.class).header("name", "m"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no column 'n', which record Two needs; the columns are 'name', 'm'");
        assertThatThrownBy(() -> Csv.decoder(Two.class).header("name", "n", "n"))
                .hasMessage("two columns are named 'n'");
        assertThatThrownBy(() -> Csv.decoder(Two.class).delimiter('"'))
                .hasMessageContaining("the delimiter must be a character of ASCII");
    }

    @Test
    void shouldReadExactlyOneRow() throws Exception {
        Decoder.Decoding<Two> decoding = Csv.decoder(Two.class).open();

        assertThat(decoded(decoding, "a,1\n")).isEqualTo("Two[name=a, n=1]");
        assertThat(decoded(decoding, "a,1\r\n")).isEqualTo("Two[name=a, n=1]");
        assertThat(decoded(decoding, "\ufeffa,1")).isEqualTo("Two[name=a, n=1]");
        assertThat(decoded(decoding, "\"a\n\r\nb\",1")).isEqualTo("Two[name=a\n\r\nb, n=1]");
        assertThat(decoded(decoding, "a,1\nb,2")).isEqualTo("bad byte 4" + CONTINUES);
        assertThat(decoded(decoding, "a,1\n\n")).isEqualTo("bad byte 4" + CONTINUES);
        assertThat(decoded(decoding, "\n")).isEqualTo("bad the row has 1 field, not 2 as record Two");
        assertThat(decoded(decoding, "\"a\nb,1"))
                .isEqualTo("bad byte 0: the quote opened here is not closed before the input ends");
        assertThat(decoded(decoding, "a,1")).isEqualTo("Two[name=a, n=1]");
    }

    @Test
    void shouldReadAnEmptyMessageAsOneField() throws Exception {
        assertThat(decoded(Csv.decoder(One.class).open(), "")).isEqualTo("One[only=null]");
        assertThat(decoded(Csv.decoder(One.class).open(), "\"\"")).isEqualTo("One[only=]");
        assertThat(decoded(Csv.decoder(Needed.class).open(), ""))
                .startsWith("bad byte 0, column 'only': it is empty, and ");
    }

    @Test
    void shouldReadLargeMessagesAmongSmallOnes() throws Exception {
        Decoder.Decoding<Two> decoding = Csv.decoder(Two.class).open();
        for (int length : new int[] {1, 4_000, 4_090, 4_096, 70_000, 3, 20_000_000, 5}) {
            String name = "x".repeat(length);
            assertThat(decoding.decode((name + ",1").getBytes(StandardCharsets.UTF_8), 0, length + 2))
                    .isEqualTo(new Two(name, 1));
        }
    }

    @Test
    void shouldReadWhatTheEncoderWrites() throws Exception {
        Encoder.Encoding<Sale> encoding = Csv.encoder(Sale.class).open();
        Decoder.Decoding<Sale> decoding = Csv.decoder(Sale.class).open();
        for (Sale sale : List.of(
                new Sale("a,b", LocalDate.of(2024, 2, 29), new BigDecimal("1E+3"), new Price(1, null)),
                new Sale("say \"no\"\r\nor yes", null, null, new Price(Long.MIN_VALUE, "€")),
                new Sale("", null, null, new Price(-1, "")),
                new Sale(null, null, null, new Price(0, "🙂")))) {
            byte[] message = encoding.encode(sale);
            assertThat(decoding.decode(message, 0, message.length)).hasToString(plain(sale));
        }
        assertThat(text(encoding.encode(new Sale("a,b", null, new BigDecimal("1E+3"), new Price(1, null)))))
                .isEqualTo("\"a,b\",,1000,1,");
        assertThat(text(Csv.encoder(One.class).open().encode(new One(null)))).isEmpty();
        assertThat(text(Csv.encoder(One.class).open().encode(new One("")))).isEqualTo("\"\"");
    }

    private static String plain(Sale sale) {
        return sale.toString().replace("1E+3", "1000");
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void shouldEncodeColumns() throws Exception {
        Encoder.Encoding<Two> encoding = Csv.<Two>encoder()
                .column("n", Two::n)
                .column("twice", two -> two.name() + ";" + two.name())
                .delimiter(';')
                .open();

        assertThat(text(encoding.encode(new Two("a", 1)))).isEqualTo("1;\"a;a\"");
        assertThatThrownBy(() -> encoding.encode(new Two("\ud800", 1))).isInstanceOf(BadRecordException.class);
        assertThat(text(encoding.encode(new Two("b", 2)))).isEqualTo("2;\"b;b\"");
        assertThatThrownBy(() -> Csv.encoder().open()).hasMessageContaining("has no columns");
    }
}
