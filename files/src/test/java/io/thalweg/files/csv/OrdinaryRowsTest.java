// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.csv;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.files.input.LineInput;
import io.thalweg.files.input.LineParser;
import io.thalweg.files.input.LineReader;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Generated readers beside the plain one, which looks at byte after byte: the same records, the same bad ones, the same places. */
final class OrdinaryRowsTest {
    private static final long SEED = Long.getLong("thalweg.seed", 20_261_124L);

    record Kinds(
            @Nullable String text,
            long aLong,
            int anInt,
            short aShort,
            byte aByte,
            double aDouble,
            float aFloat,
            boolean yes,
            @Nullable Long boxed,
            Optional<Double> maybe,
            @Nullable LocalDate day,
            @Nullable Instant at,
            String needed) {
        Kinds {
            if (aLong == 13) {
                throw new IllegalArgumentException("unlucky");
            }
        }
    }

    record Two(double value, @Nullable String name) {}

    record One(@Nullable String only) {}

    /** What a reader gave, in its order, with the place behind each record. */
    private record Read(List<String> events) implements SourceContext {
        @Override
        public void bad(BadRecord bad) {
            events.add(
                    "bad " + bad.line() + " " + bad.offset() + " " + bad.reason() + " " + Arrays.toString(bad.bytes()));
        }

        @Override
        public long nowNs() {
            return 0;
        }
    }

    static final String HEADER = "x,text,aLong,anInt,aShort,y,z,aByte,aDouble,aFloat,yes,boxed,maybe,day,at,needed,w\n";

    private static final String[] TEXTS = {
        "a",
        "",
        "\"\"",
        "\"a,b\"",
        "\"say \"\"no\"\"\"",
        "Größe",
        "🙂",
        "a b c d e f g h",
        "\"two\nlines\"",
        "\"öä\"",
        "a\"b",
        "\"open",
        "\"a\"b",
        "a\rb",
        "\"a\rb\"",
        " ",
        "x\tz",
        "0123456789012345678901234567890123456789",
        "\"0123456789,\"\"0123456789\"",
        "\0"
    };

    private static final String[] NUMBERS = {
        "0",
        "1",
        "-1",
        "13",
        "007",
        "-0",
        "12345678",
        "123456789",
        "1234567890123456",
        "12345678901234567",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "2147483647",
        "2147483648",
        "-129",
        "32768",
        "\"12\"",
        "\"1\"\"2\"",
        "",
        "\"\"",
        "1.5",
        "-1.25",
        "1.",
        ".5",
        "1e3",
        "NaN",
        "-Infinity",
        "1e999",
        "0.1234567",
        "0.12345678",
        "1234567.1234567",
        "1234567.12345678",
        "12345678.5",
        "123456789012345.5",
        "0.30000000000000004",
        "+1",
        "1 ",
        "٣",
        "-",
        "--1"
    };

    private static final String[] OTHERS = {
        "true",
        "false",
        "True",
        "",
        "2024-02-29",
        "2023-02-29",
        "2024-02-29T12:30:00Z",
        "2024-02-29T12:30:00.123Z",
        "\"true\"",
        "x"
    };

    private static final String[][] CHOICES = {
        TEXTS, TEXTS, NUMBERS, NUMBERS, NUMBERS, TEXTS, NUMBERS, NUMBERS, NUMBERS, NUMBERS, OTHERS, NUMBERS, NUMBERS,
        OTHERS, OTHERS, TEXTS, TEXTS
    };

    private static final String[] GOOD = {
        "x", "text", "12", "7", "7", "\"y\"", "", "7", "1.5", "2.5", "true", "", "", "2024-02-29", "", "n", "w"
    };

    @TempDir
    Path directory;

    @Test
    void shouldReadAsThePlainReaderDoes() throws Exception {
        Random random = new Random(SEED);
        for (int round = 0; round < 300; round++) {
            StringBuilder text = new StringBuilder(random.nextInt(4) == 0 ? "\ufeff" : "").append(HEADER);
            for (int row = 0; row < 20; row++) {
                row(random, text);
            }
            same(text.toString().getBytes(StandardCharsets.UTF_8), Kinds.class, CsvLayout.DEFAULT);
        }
    }

    @Test
    void shouldReadDamagedBytesAsThePlainReaderDoes() throws Exception {
        Random random = new Random(SEED);
        byte[] special = {'"', ',', '\n', '\r', '#', 0, (byte) 0x80, (byte) 0xc3, (byte) 0xff, ' ', '-', '.', '9'};
        for (int round = 0; round < 600; round++) {
            byte[] bytes = rows(random, 6);
            for (int i = random.nextInt(4); i >= 0; i--) {
                bytes[HEADER.length() + random.nextInt(bytes.length - HEADER.length())] =
                        special[random.nextInt(special.length)];
            }
            same(bytes, Kinds.class, round % 2 == 0 ? CsvLayout.DEFAULT : CsvLayout.DEFAULT.withComments('#'));
        }
    }

    @Test
    void shouldReadWhatIsCutAsThePlainReaderDoes() throws Exception {
        byte[] bytes = rows(new Random(SEED), 4);
        for (int length = HEADER.length(); length <= bytes.length; length++) {
            same(Arrays.copyOf(bytes, length), Kinds.class, CsvLayout.DEFAULT);
        }
    }

    @Test
    void shouldReadRowsWhereverTheBufferEnds() throws Exception {
        byte[] rows = "1.5,a\n-20.25,\"b,ö\"\r\n,bad\n3,\"two\nlines\"\n4.0,\n".getBytes(StandardCharsets.UTF_8);
        for (int before = 256 * 1024 - rows.length - 2; before < 256 * 1024 + 2; before++) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            bytes.writeBytes("1,".getBytes(StandardCharsets.UTF_8));
            bytes.writeBytes("x".repeat(before - 3).getBytes(StandardCharsets.UTF_8));
            bytes.write('\n');
            bytes.writeBytes(rows);
            same(bytes.toByteArray(), Two.class, CsvLayout.DEFAULT.withoutHeader());
        }
    }

    @Test
    void shouldKnowOtherLayouts() throws Exception {
        for (char delimiter : new char[] {';', '\t', '|', '-', '5', '.', ' ', 'e'}) {
            String text = "1.5,a\n15,b\n-1.5,c\n\n#no\n,d\n2,\n3,\"e,\"\n4,f\n5".replace(',', delimiter);
            for (CsvLayout layout : List.of(
                    CsvLayout.DEFAULT.withoutHeader(),
                    CsvLayout.DEFAULT.withoutHeader().withComments('#'))) {
                same(text.getBytes(StandardCharsets.UTF_8), Two.class, layout.withDelimiter(delimiter));
            }
        }
        same(
                "a\n\n\"\"\n\r\n \n#\nb,c\n".getBytes(StandardCharsets.UTF_8),
                One.class,
                CsvLayout.DEFAULT.withoutHeader());
    }

    @Test
    void shouldReadOrdinaryRowsItself() throws Exception {
        Path file = Files.writeString(
                directory.resolve("ordinary.csv"),
                HEADER + String.join(",", GOOD) + "\n" + String.join(",", GOOD) + "\r\n");
        try (LineInput lines = LineInput.open(file.toString(), 1_000)) {
            CsvParser<Kinds> parser = CsvParser.open(lines, Kinds.class, CsvLayout.DEFAULT);
            assertThat(parser.parseNext(lines)).isNotNull();
            assertThat(parser.parseNext(lines)).isNotNull();
            assertThat(lines.line()).isEqualTo(3);
            assertThat(lines.next()).isEqualTo(LineInput.Found.END);
        }
    }

    @Test
    void shouldReadDoublesExactly() {
        doublesExactly(30_000);
    }

    @Test
    @Tag("integration")
    void shouldReadManyDoublesExactly() {
        doublesExactly(300_000);
    }

    private static void doublesExactly(int count) {
        Random random = new Random(SEED);
        for (int i = 0; i < count; i++) {
            double value = switch (i % 4) {
                case 0 -> random.nextInt(10_000_000) / Math.pow(10, random.nextInt(8));
                case 1 -> Double.longBitsToDouble(random.nextLong());
                case 2 -> random.nextGaussian();
                default -> random.nextLong() / Math.pow(10, random.nextInt(30));
            };
            check(String.valueOf(value));
            check(new java.math.BigDecimal(Double.isFinite(value) ? value : 1)
                    .setScale(random.nextInt(12), java.math.RoundingMode.HALF_UP)
                    .toPlainString());
        }
        for (String hard : List.of(
                "9007199254740993",
                "9007199254740992.5",
                "0.500000000000000166533453693773481063544750213623046875",
                "2.2250738585072011e-308",
                "4.9406564584124654e-324",
                "2.4703282292062327e-324",
                "1.7976931348623157e308",
                "6.9294956446009195e15",
                "123456789012345",
                "999999999999999",
                "0.000000000000001",
                "7.2057594037927933e16")) {
            check(hard);
            check("-" + hard);
        }
    }

    private static void check(String text) {
        byte[] bytes = (text + ",12345678").getBytes(StandardCharsets.UTF_8);
        double expected = Double.parseDouble(text);
        double read = FieldValue.toDouble(bytes, 0, text.length());
        if (Double.isInfinite(expected) && !text.endsWith("Infinity")) {
            assertThat(FieldValue.isNone(read)).as(text).isTrue();
        } else {
            assertThat(Double.doubleToLongBits(read)).as(text).isEqualTo(Double.doubleToLongBits(expected));
        }
    }

    private static byte[] rows(Random random, int count) {
        StringBuilder text = new StringBuilder(HEADER);
        for (int row = 0; row < count; row++) {
            row(random, text);
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Mostly good, so that what is wrong in it comes first. */
    static void row(Random random, StringBuilder text) {
        int odd = random.nextInt(3);
        for (int i = 0; i < GOOD.length; i++) {
            boolean other = random.nextInt(GOOD.length) < odd;
            text.append(i == 0 ? "" : ",").append(other ? CHOICES[i][random.nextInt(CHOICES[i].length)] : GOOD[i]);
        }
        if (random.nextInt(30) == 0) {
            text.append(",more");
        }
        text.append(random.nextInt(3) == 0 ? "\r\n" : "\n").append(random.nextInt(20) == 0 ? "\n" : "");
    }

    private <R> void same(byte[] bytes, Class<R> type, CsvLayout layout) throws Exception {
        Path file = Files.write(directory.resolve("rows.csv"), bytes);
        for (int maxBytes : new int[] {100, 1_000_000}) {
            assertThat(read(file, type, layout, maxBytes, true))
                    .as("seed " + SEED + ": "
                            + new String(
                                    bytes,
                                    bytes.length > 10_000 ? bytes.length - 200 : 0,
                                    Math.min(bytes.length, 200),
                                    StandardCharsets.UTF_8))
                    .isEqualTo(read(file, type, layout, maxBytes, false));
        }
    }

    private static <R> List<String> read(Path file, Class<R> type, CsvLayout layout, int maxBytes, boolean generated)
            throws Exception {
        Read context = new Read(new ArrayList<>());
        try (LineInput lines = LineInput.open(file.toString(), maxBytes)) {
            LineParser<R> parser = CsvParser.open(lines, type, layout);
            LineParser<R> plain = line -> parser.parse(line); // has no parseNext of its own
            LineParser<R> used = generated ? parser : plain;
            SplitReader<R> reader = LineReader.of(lines, used, () -> used, context);
            while (!reader.finished()) {
                R record = reader.poll();
                if (record != null) {
                    context.events.add(
                            record + " " + reader.line() + " " + reader.recordOffset() + " " + reader.position());
                }
            }
        } catch (io.thalweg.api.connector.ConnectorException e) {
            context.events.add(e.getMessage());
        }
        return context.events;
    }
}
