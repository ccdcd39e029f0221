// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Texts that are an {@link Everything}, or nearly. */
final class RandomJson {
    private static final String[] NUMBERS = {
        "0",
        "-0",
        "1",
        "-1",
        "7",
        "42",
        "127",
        "128",
        "-128",
        "-129",
        "32767",
        "32768",
        "-32769",
        "2147483647",
        "2147483648",
        "-2147483648",
        "-2147483649",
        "12345678",
        "123456789",
        "1234567890123",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
        "-9223372036854775809",
        "18446744073709551616",
        "99999999999999999999",
        "1.0",
        "1e3",
        "-1E+3",
        "0.1",
        "0.30000000000000004",
        "123456.789",
        "1e22",
        "1e23",
        "9007199254740993",
        "9007199254740992.5",
        "179769313486231570e291",
        "1e308",
        "1e309",
        "-1e400",
        "4.9e-324",
        "2.4703282292062327e-324",
        "1e-400",
        "1.17549435e-38",
        "3.4028235e38",
        "3.4028236e38",
        "16777217",
        "16777216.5",
        "0.000000000000000000000000001",
        "1e9999",
        "1e-9999",
        "1e10000",
        "1e99999999999",
        "-0.0",
        "0e0",
        "0.00",
        "123456789012345678.5",
        "1234567890123456789012345678901234567890",
        "00",
        "01",
        "-01",
        "1.",
        ".5",
        "+1",
        "-",
        "1e",
        "1e+",
        "0x10",
        "NaN",
        "Infinity",
        "1_000",
        "1.5.5",
        "--1",
        "1f"
    };
    private static final String[] TEXTS = {
        "\"\"",
        "\"a\"",
        "\"SMALL\"",
        "\"LARGE\"",
        "\"LARGEST\"",
        "\"2024-02-29\"",
        "\"2023-02-29\"",
        "\"2024-02-29T12:30:00Z\"",
        "\"2024-02-29T12:30:00\"",
        "\"12:30:00.123\"",
        "\"2024-02-29T12:30:00+01:00\"",
        "\"exactly8\"",
        "\"nine char\"",
        "\"sixteen chars 16\"",
        "\"a text of 31 bytes, the longest\"",
        "\"a text of thirty-two bytes, 32..\"",
        "\"größer, 地震, 🙂\"",
        "\"\\u0041\\u00e9\\ud83d\\ude42\"",
        "\"\\ud800\"",
        "\"\\udc00x\"",
        "\"\\ud83d\\u0041\"",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
        "\"\\u0000\"",
        "\"\u007f\"",
        "\"tab\there\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"open",
        "\"\\\"",
        "'single'"
    };
    private static final byte[] BYTES = bytes();

    private final Random random;

    RandomJson(Random random) {
        this.random = random;
    }

    private static byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(
                "\"\"\"\\\\{}[]::,,0123456789.eE+-tfnu /\n\r\t\0\u001f\u007f".getBytes(StandardCharsets.UTF_8));
        for (int next :
                new int[] {0x80, 0xbf, 0xc0, 0xc2, 0xe0, 0xed, 0xa0, 0xf0, 0x90, 0xf4, 0xf5, 0xff, 0xef, 0xbb}) {
            bytes.write(next);
        }
        return bytes.toByteArray();
    }

    byte[] everything() {
        return changed(everythingText());
    }

    byte[] few() {
        return changed(fewText(0));
    }

    private byte[] changed(String valid) {
        byte[] text = valid.getBytes(StandardCharsets.UTF_8);
        for (int i = random.nextInt(4) - 1; i > 0; i--) {
            text = mutated(text);
        }
        return text;
    }

    private byte[] mutated(byte[] text) {
        int at = random.nextInt(text.length + 1);
        int other = random.nextInt(text.length + 1);
        int from = Math.min(at, other);
        int to = random.nextBoolean() ? Math.max(at, other) : Math.min(text.length, from + random.nextInt(4));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(text, 0, from);
        switch (random.nextInt(5)) {
            case 0 -> bytes.write(text, to, text.length - to);
            case 1 -> {
                bytes.write(BYTES[random.nextInt(BYTES.length)]);
                bytes.write(text, from, text.length - from);
            }
            case 2 -> {
                bytes.write(BYTES[random.nextInt(BYTES.length)]);
                bytes.write(text, Math.min(text.length, from + 1), text.length - Math.min(text.length, from + 1));
            }
            case 3 -> bytes.write(text, Math.max(0, from - 10), text.length - Math.max(0, from - 10));
            default -> {
                // cut off
            }
        }
        return bytes.size() == 0 ? text : bytes.toByteArray();
    }

    private String everythingText() {
        List<String> fields = new ArrayList<>();
        add(fields, "aLong", number("9223372036854775807", "-1", "1234567890123"));
        add(fields, "anInt", number("2147483647", "-2147483648", "17"));
        add(fields, "aShort", number("32767", "-5", "0"));
        add(fields, "aByte", number("127", "-128", "3"));
        add(fields, "aDouble", real());
        add(fields, "aFloat", real());
        add(fields, "yes", random.nextBoolean() ? "true" : "false");
        add(fields, "boxedLong", number("null", "5", "77777777777"));
        add(fields, "boxedInt", number("null", "5", "7777777"));
        add(fields, "boxedShort", number("null", "5", "777"));
        add(fields, "boxedByte", number("null", "5", "77"));
        add(fields, "boxedDouble", real());
        add(fields, "boxedFloat", real());
        add(fields, "boxedYes", number("null", "true", "false"));
        add(fields, "text", text());
        add(fields, "t", text());
        add(
                fields,
                random.nextInt(9) == 0 ? "a name of its own\\u002c rather long" : "a name of its own, rather long",
                text());
        add(fields, "a \\\"quoted\\\\name\\\"", "5");
        add(fields, random.nextInt(9) == 0 ? "gr\\u00f6\\u00dfe" : "größe", "5");
        add(fields, "decimal", random.nextInt(9) == 0 ? "null" : real());
        add(fields, "big", number("0", "-123456789012345678901234567890", "7"));
        add(fields, "kind", number("null", "\"SMALL\"", "\"LARGEST\""));
        add(fields, "instant", number("null", "\"2024-02-29T12:30:00Z\"", "\"2018-01-31T05:05:01.235Z\""));
        add(fields, "date", number("null", "\"2024-02-29\"", "\"+12345-01-01\""));
        add(fields, "time", number("null", "\"12:30\"", "\"23:59:59.999999999\""));
        add(fields, "dateTime", number("null", "\"2024-02-29T12:30\"", "\"2024-02-29T12:30:01.5\""));
        add(fields, "offsetTime", number("null", "\"2024-02-29T12:30+01:00\"", "\"2024-02-29T12:30:00Z\""));
        add(fields, "inner", inner(0));
        add(fields, "inners", array("null", inner(1), inner(2)));
        add(fields, "texts", array(text(), "null", text()));
        add(fields, "matrix", array("[]", "[1,2.5]", "null"));
        add(fields, "kinds", array("\"SMALL\"", "\"SMALL\"", "\"LARGE\""));
        add(fields, "counts", number("{}", "{\"a\":1,\"b\":null,\"a\":3}", "null"));
        add(fields, "byName", "{" + text() + ":" + inner(2) + "}");
        add(fields, "longs", array("1", "-2", "3000000000"));
        add(fields, "doubles", array("1", "-2.5", "3e7"));
        add(fields, "ints", array("1", "-2", "3"));
        add(fields, "words", array(text(), "null", text()));
        add(fields, "innerArray", array("null", inner(1), inner(2)));
        add(fields, "listArray", array("null", "[1,2]", "[]"));
        return join(random.nextInt(4) == 0 ? spoilt(fields) : fields);
    }

    private String fewText(int depth) {
        List<String> fields = new ArrayList<>();
        add(fields, "a", number("9223372036854775807", "-1", "1234567890123", "0"));
        add(fields, "b", real());
        add(fields, "text", text());
        add(fields, "boxed", number("null", "5", "7777777"));
        add(fields, "yes", number("true", "false"));
        add(fields, "numbers", array("1", "-2.5", "3e7"));
        add(fields, "inner", depth > 1 || random.nextInt(3) > 0 ? "null" : fewText(depth + 1));
        return join(random.nextInt(3) == 0 ? spoilt(fields) : fields);
    }

    /** Fields that are missing, unknown, doubled, moved, or of another type. */
    private List<String> spoilt(List<String> fields) {
        for (int i = random.nextInt(Math.min(6, fields.size())); i > 0; i--) {
            int at = random.nextInt(fields.size());
            switch (random.nextInt(6)) {
                case 0 -> fields.remove(at);
                case 1 -> fields.add(at, "\"unknown\":" + any(0));
                case 2 -> fields.add(at, fields.get(random.nextInt(fields.size())));
                case 3 -> Collections.shuffle(fields, random);
                case 4 -> fields.add(at, text() + ":" + any(0));
                default -> {
                    String field = fields.get(at);
                    int colon = field.lastIndexOf("\":");
                    fields.set(at, colon < 0 ? field : field.substring(0, colon + 2) + any(0));
                }
            }
        }
        return fields;
    }

    private String any(int depth) {
        return switch (random.nextInt(depth > 6 ? 4 : 7)) {
            case 0 -> NUMBERS[random.nextInt(NUMBERS.length)];
            case 1 -> TEXTS[random.nextInt(TEXTS.length)];
            case 2 -> number("true", "false", "null");
            case 3 -> inner(2);
            case 4 -> array(any(depth + 1), any(depth + 1), any(depth + 1));
            case 5 -> "{" + space() + "\"x\"" + space() + ":" + any(depth + 1) + space() + "}";
            default -> "[".repeat(random.nextInt(70)) + any(depth + 1) + "]".repeat(random.nextInt(70));
        };
    }

    private void add(List<String> fields, String name, String value) {
        fields.add(space() + '"' + name + '"' + space() + ":" + space() + value + space());
    }

    private String join(List<String> fields) {
        return space() + "{" + String.join(",", fields) + "}" + space();
    }

    private String inner(int depth) {
        if (depth > 3 || random.nextInt(5) == 0) {
            return "null";
        }
        List<String> fields = new ArrayList<>();
        add(fields, "x", String.valueOf(random.nextInt(1 << random.nextInt(31))));
        add(fields, "label", text());
        add(fields, "next", inner(depth + 1));
        add(fields, "more", random.nextBoolean() ? "[]" : "[" + inner(depth + 2) + "]");
        return join(fields);
    }

    private String array(String... values) {
        return "[" + space() + String.join(space() + ",", List.of(values).subList(0, random.nextInt(values.length + 1)))
                + space() + "]";
    }

    private String number(String... values) {
        return values[random.nextInt(values.length)];
    }

    private String real() {
        return switch (random.nextInt(5)) {
            case 0 -> Double.toString(random.nextGaussian());
            case 1 -> Float.toString((float) random.nextGaussian() * 1000);
            case 2 -> random.nextInt(100_000) + "." + random.nextInt(1_000_000);
            case 3 -> random.nextInt(1000) + "e" + (random.nextInt(60) - 30);
            default -> String.valueOf(random.nextLong() >> random.nextInt(64));
        };
    }

    /** Of these, eleven in twelve are valid. */
    private String text() {
        if (random.nextInt(12) == 0) {
            return TEXTS[random.nextInt(22)];
        }
        StringBuilder text = new StringBuilder("\"");
        for (int i = random.nextInt(random.nextInt(4) == 0 ? 40 : 12); i > 0; i--) {
            text.append((char) ('a' + random.nextInt(26)));
        }
        return text.append('"').toString();
    }

    private String space() {
        return random.nextInt(12) > 0 ? "" : " \t\r\n ".substring(random.nextInt(5));
    }
}
