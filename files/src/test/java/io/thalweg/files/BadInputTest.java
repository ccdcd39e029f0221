// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.Source;
import io.thalweg.testkit.contract.SourceContract;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The corpus of bad input: each text stands in one file between good neighbours. It must be told with line, offset, reason
 * and its very bytes, and the neighbours read.
 */
final class BadInputTest {
    record Event(
            long id,
            @Nullable Double mag,
            @Nullable String place,
            boolean felt,
            int @Nullable [] parts,
            @Nullable LocalDate day) {}

    record Row(long id, @Nullable Double mag, @Nullable String place) {}

    private record Case(byte[] bytes, String reason) {}

    @TempDir
    Path directory;

    private final List<Case> cases = new ArrayList<>();

    @BeforeEach
    void none() {
        cases.clear();
    }

    @Test
    void shouldTellOfBadJson() throws Exception {
        bad("{\"id\":1,\"mag\":4.", "the text ends in the middle of a JSON value");
        bad("{\"id\":1", "the text ends in the middle of a JSON value");
        bad("{\"id\":1,\"place\":\"Rao", "the text ends in the middle of a JSON value");
        bad("{\"id\":1,\"place\":\"Rao\\\"}", "the text ends in the middle of a JSON value");
        bad("{", "the text ends in the middle of a JSON value");
        bad("nonsense", "byte 0: an object is expected, found 'n'");
        bad("null", "byte 0: an object is expected, found null");
        bad("[{\"id\":1}]", "byte 0: an object is expected, found an array");
        bad("7", "byte 0: an object is expected, found a number");

        bad(
                "{\"id\":1,\"felt\":true} {\"id\":2,\"felt\":true}",
                "byte 21: a second value follows; one JSON object a line is expected");
        bad("{\"id\":1,\"felt\":true},", "byte 20: the object is followed by ','; one JSON object a line is expected");
        bad(
                "{\"id\":1,\"felt\":true}\u00a0",
                "byte 20: the object is followed by byte 0xc2; one JSON object a line is expected");
        bad("\ufeff{\"id\":1,\"felt\":true}", "byte 0: an object is expected, found byte 0xef");

        bad("{\"id\":\"1\",\"felt\":true}", "byte 6, 'id': a number is expected, found a string");
        bad("{\"id\":null,\"felt\":true}", "byte 6, 'id': a number is expected, found null");
        bad("{\"id\":true,\"felt\":true}", "byte 6, 'id': a number is expected, found a boolean");
        bad("{\"id\":1,\"mag\":\"4.7\",\"felt\":true}", "byte 14, 'mag': a number is expected, found a string");
        bad("{\"id\":1,\"place\":5,\"felt\":true}", "byte 16, 'place': a string is expected, found a number");
        bad("{\"id\":1,\"felt\":\"true\"}", "byte 15, 'felt': true or false is expected, found a string");
        bad(
                "{\"id\":1,\"felt\":true,\"day\":\"" + "9".repeat(41) + "\"}",
                "byte 26, 'day': a date such as 2024-02-29 is expected, found '" + "9".repeat(40) + "…'");
        bad("{\"id\":1,\"felt\":0}", "byte 15, 'felt': true or false is expected, found a number");
        bad("{\"id\":1,\"felt\":True}", "byte 15, 'felt': true or false is expected, found 'T'");
        bad("{\"id\":1,\"felt\":true,\"parts\":{}}", "byte 28, 'parts': an array is expected, found an object");
        bad("{\"id\":1,\"felt\":true,\"parts\":[1,null]}", "byte 31, 'parts[1]': a number is expected, found null");
        bad("{\"felt\":true}", "byte 12: 'id' is missing, and its component is a primitive");

        bad("{\"id\":9223372036854775808,\"felt\":true}", "byte 6, 'id': 9223372036854775808 does not fit a long");
        bad("{\"id\":-9223372036854775809,\"felt\":true}", "byte 6, 'id': -9223372036854775809 does not fit a long");
        bad("{\"id\":1,\"mag\":1e309,\"felt\":true}", "byte 14, 'mag': 1e309 does not fit a double");
        bad("{\"id\":1,\"felt\":true,\"parts\":[2147483648]}", "byte 29, 'parts[0]': 2147483648 does not fit an int");
        bad("{\"id\":1.0,\"felt\":true}", "byte 6, 'id': a whole number is expected, found 1.0");
        bad("{\"id\":1e3,\"felt\":true}", "byte 6, 'id': a whole number is expected, found 1e3");
        bad("{\"id\":007,\"felt\":true}", "byte 6, 'id': a number must not begin with 0");
        bad("{\"id\":+7,\"felt\":true}", "byte 6, 'id': a number is expected, found '+'");
        bad("{\"id\":0x7,\"felt\":true}", "byte 7, 'id': ',' or '}' is expected, found 'x'");
        bad("{\"id\":-,\"felt\":true}", "byte 7, 'id': a digit is expected after '-'");
        bad("{\"id\":1,\"mag\":.5,\"felt\":true}", "byte 14, 'mag': a number is expected, found '.'");
        bad("{\"id\":1,\"mag\":5.,\"felt\":true}", "byte 16, 'mag': a digit is expected after the decimal point");
        bad("{\"id\":1,\"mag\":5e,\"felt\":true}", "byte 16, 'mag': a digit is expected in the exponent");
        bad("{\"id\":1,\"mag\":NaN,\"felt\":true}", "byte 14, 'mag': a number is expected, found 'N'");
        bad("{\"id\":1,\"mag\":-Infinity,\"felt\":true}", "byte 15, 'mag': a digit is expected after '-'");

        bad(bytes("{\"id\":1,\"place\":\"", 0xff, "\"}"), "byte 17, 'place': invalid UTF-8");
        bad(bytes("{\"id\":1,\"other\":\"", 0xc0, "\u0080\"}"), "byte 17, 'other': invalid UTF-8");
        bad(bytes("{\"id\":1,\"place\":\"", 0xed, 0xa0, 0x80, "\"}"), "byte 17, 'place': invalid UTF-8");
        bad(bytes("{\"id\":1,\"place\":\"", 0xe2, 0x82, "\"}"), "byte 17, 'place': invalid UTF-8");
        bad(bytes("{\"id\":1,", 0xff, "}"), "byte 8: a field's name in quotes is expected, found byte 0xff");
        bad("{\"id\":1,\"place\":\"a\tb\"}", "byte 18, 'place': a control character must be escaped, found byte 0x09");
        bad("{\"id\":1,\"place\":\"a\0b\"}", "byte 18, 'place': a control character must be escaped, found byte 0x00");
        bad("{\"id\":1,\"pl\u0001ace\":\"ab\"}", "byte 11: a control character must be escaped, found byte 0x01");
        bad("{\"id\":1\u000b,\"felt\":true}", "byte 7, 'id': ',' or '}' is expected, found byte 0x0b");
        bad("{\"id\":1,\"place\":\"\\x\"}", "byte 18, 'place': a backslash must not be followed by 'x'");
        bad("{\"id\":1,\"place\":\"\\u12g4\"}", "byte 21, 'place': four hexadecimal digits are expected after \\u");

        bad("{\"id\":1,\"felt\":true,}", "byte 20: a field's name in quotes is expected, found '}'");
        bad("{\"id\":1,,\"felt\":true}", "byte 8: a field's name in quotes is expected, found ','");
        bad("{\"id\" 1}", "byte 6, 'id': ':' is expected after a field's name, found a number");
        bad("{id:1}", "byte 1: a field's name in quotes is expected, found 'i'");
        bad("{'id':1}", "byte 1: a field's name in quotes is expected, found '''");
        bad("{\"id\":1,\"felt\":true,\"parts\":[1 2]}", "byte 31, 'parts[0]': ',' or ']' is expected, found a number");
        bad("{\"id\":1,\"felt\":true,\"parts\":[1,]}", "byte 31, 'parts[1]': a number is expected, found ']'");
        bad("{\"id\":1,\"felt\":true,\"other\":[}", "byte 29, 'other[0]': a JSON value is expected, found '}'");
        bad(
                "{\"id\":1,\"felt\":true,\"other\":" + "[".repeat(9) + "]".repeat(9) + "}",
                "byte 35, 'other[0][0][0][0][0][0][0]': nested deeper than 8 levels");
        bad(
                "{\"id\":1,\"felt\":true,\"other\":" + "[".repeat(190),
                "byte 35, 'other[0][0][0][0][0][0][0]': nested deeper than 8 levels");
        bad(
                "{\"id\":1,\"felt\":true}// why",
                "byte 20: the object is followed by '/'; one JSON object a line is expected");
        bad("{\"id\":1,\"felt\":true,\"other\":\"" + "x".repeat(300) + "\"}", "the line is longer than 256 bytes");

        check(
                i -> "{\"id\":" + i + ",\"mag\":null,\"place\":\"p\",\"felt\":false}",
                file -> JsonLines.read(file, Event.class).maxLineBytes(256).maxDepth(8));
    }

    @Test
    void shouldTellOfBadCsv() throws Exception {
        bad("1", "the row has 1 field, not 3 as the header");
        bad("1,2", "the row has 2 fields, not 3 as the header");
        bad("1,2,3,4", "the row has 4 fields, not 3 as the header");
        bad(",2,x", "byte 0, column 'id': it is empty, and its component is a primitive");
        bad("\"\",2,x", "byte 1, column 'id': a whole number that fits a long is expected, found ''");
        bad("x,2,x", "byte 0, column 'id': a whole number that fits a long is expected, found 'x'");
        bad("1.0,2,x", "byte 0, column 'id': a whole number that fits a long is expected, found '1.0'");
        bad(
                "9223372036854775808,2,x",
                "byte 0, column 'id': a whole number that fits a long is expected, found '9223372036854775808'");
        bad(
                "-9223372036854775809,2,x",
                "byte 0, column 'id': a whole number that fits a long is expected, found '-9223372036854775809'");
        bad("1,1e309,x", "byte 2, column 'mag': a number that fits a double is expected, found '1e309'");
        bad("1,four,x", "byte 2, column 'mag': a number that fits a double is expected, found 'four'");
        bad("1, 4,x", "byte 2, column 'mag': a number that fits a double is expected, found ' 4'");
        bad(bytes("1,4,", 0xff), "byte 4: invalid UTF-8");
        bad(bytes("1,4,\"a\n", 0xc0, 0x80, "\""), "byte 7: invalid UTF-8");
        bad("1,4,a\"b", "byte 5: a quote in a field that does not begin with one");
        bad("1,4,\"a\"b", "byte 7: a field continues after its closing quote");
        bad("1,4,a\rb", "byte 5: a carriage return outside quotes");
        bad("1,x,\"two\nlines\"", "byte 2, column 'mag': a number that fits a double is expected, found 'x'");
        bad("1,2,\"" + "x".repeat(300) + "\"", "the line is longer than 256 bytes");
        bad("1,2,\"open", "byte 4: the quote opened here is not closed within 256 bytes");

        // Long enough that no limit is reached by its end, and without a quote that could close the last one above.
        String place = "p".repeat(300 / 2);
        check(i -> i + ",," + place, file -> Csv.read(file, Row.class).maxRecordBytes(256));
    }

    /** These may look bad, and are not. */
    @Test
    void shouldReadWhatIsOdd() throws Exception {
        Path file = directory.resolve("in.jsonl");
        Files.writeString(file, """
                \ufeff{"id":1,"felt":true}

                  \t
                 { "felt" : false , "id" : 2 , "unknown" : {"a":[1,{"b":null}]} }\s
                {"id":3,"felt":true,"id":4}
                {"id":-0,"mag":1e-400,"felt":true,"place":"\\ud83d"}
                {"\\u0069d":6,"felt":true,"place":"\\ud83d\\ude42\\u0000","mag":9007199254740993}
                {"id":7,"felt":true,"place":"","parts":[]}""");
        FakeContext context = new FakeContext();
        List<Event> events = Reading.all(JsonLines.read(file.toString(), Event.class), context);
        assertThat(context.bad).isEmpty();
        assertThat(events).extracting(Event::id).containsExactly(1L, 2L, 4L, 0L, 6L, 7L);
        assertThat(events).extracting(Event::place).containsExactly(null, null, null, "\ud83d", "🙂\0", "");
        assertThat(events).extracting(Event::mag).containsExactly(null, null, null, 0.0, 9007199254740992.0, null);
    }

    private void bad(String text, String reason) {
        bad(text.getBytes(StandardCharsets.UTF_8), reason);
    }

    private void bad(byte[] bytes, String reason) {
        cases.add(new Case(bytes, reason));
    }

    private static byte[] bytes(Object... parts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Object part : parts) {
            if (part instanceof Integer one) {
                bytes.write(one);
            } else {
                bytes.writeBytes(part.toString().getBytes(StandardCharsets.UTF_8));
            }
        }
        return bytes.toByteArray();
    }

    private interface Neighbour {
        String text(int index);
    }

    private interface Reader {
        Source<?> of(String file);
    }

    private void check(Neighbour neighbour, Reader reader) throws Exception {
        for (String lineEnd : List.of("\n", "\r\n")) {
            for (String name : List.of("in", "in.gz")) {
                check(neighbour, reader, lineEnd, directory.resolve(name));
            }
        }
    }

    private void check(Neighbour neighbour, Reader reader, String lineEnd, Path file) throws Exception {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        List<BadRecord> expected = new ArrayList<>();
        List<String> good = new ArrayList<>();
        text.writeBytes(bytes(reader.of("x").toString().contains("Csv") ? "id,mag,place" + lineEnd : ""));
        for (int i = 0; i < cases.size(); i++) {
            text.writeBytes(bytes(neighbour.text(i), lineEnd));
            good.add("id=" + i + ",");
            byte[] bytes = cases.get(i).bytes();
            long line = text.toString(StandardCharsets.ISO_8859_1)
                            .chars()
                            .filter(c -> c == '\n')
                            .count()
                    + 1;
            expected.add(new BadRecord(
                    file.toString(), line, text.size(), cases.get(i).reason(), bytes));
            text.writeBytes(bytes);
            text.writeBytes(bytes(lineEnd));
        }
        for (int i = 0; i < 3; i++) {
            text.writeBytes(bytes(neighbour.text(cases.size() + i), lineEnd));
            good.add("id=" + (cases.size() + i) + ",");
        }
        write(file, text.toByteArray());

        FakeContext context = new FakeContext();
        List<?> records = Reading.all(reader.of(file.toString()), context);
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < Math.min(expected.size(), context.bad.size()); i++) {
            if (!tell(context.bad.get(i)).equals(tell(expected.get(i)))) {
                wrong.add(tell(context.bad.get(i)) + "\n  expected " + tell(expected.get(i)));
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(context.bad).hasSameSizeAs(expected);
        assertThat(records).hasSameSizeAs(good);
        for (int i = 0; i < good.size(); i++) {
            assertThat(records.get(i).toString()).contains(good.get(i));
        }
        SourceContract.checkReplay(reader.of(file.toString()));
    }

    private static void write(Path file, byte[] bytes) throws IOException {
        if (file.toString().endsWith(".gz")) {
            try (GZIPOutputStream packed = new GZIPOutputStream(Files.newOutputStream(file))) {
                packed.write(bytes);
            }
        } else {
            Files.write(file, bytes);
        }
    }

    private static String tell(BadRecord bad) {
        return bad.describe() + " <" + new String(bad.bytes(), StandardCharsets.ISO_8859_1) + ">";
    }
}
