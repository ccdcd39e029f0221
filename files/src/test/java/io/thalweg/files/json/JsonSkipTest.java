// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.files.record.MalformedException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Fields that nobody declared: what is passed over is right where {@link ScalarJson} finds it right, and wrong there. */
final class JsonSkipTest {
    private static final long SEED = Long.getLong("thalweg.seed", 20_261_123L);
    private static final int CASES = Integer.getInteger("thalweg.cases", 10_000);
    private static final int MAX_DEPTH = 64;

    record Declared(@Nullable Long declared) {}

    private static final Map<String, JsonReader<Declared>> READERS = Map.of(
            "generated", JsonReader.generated(Declared.class, MAX_DEPTH),
            "plain", JsonReader.plain(Declared.class, MAX_DEPTH));

    private final Random random = new Random(SEED);

    @Test
    void shouldRefuseRandomTextsWhereTheScalarReaderDoes() {
        RandomJson texts = new RandomJson(random);
        int wrong = 0;
        for (int i = 0; i < CASES; i++) {
            wrong += check(i % 5 == 0 ? texts.everything() : texts.few()) ? 0 : 1;
        }
        assertThat(wrong).as("seed " + SEED).isBetween(CASES / 10, CASES * 9 / 10);
    }

    @Test
    void shouldRefuseTextsCutAnywhere() {
        RandomJson texts = new RandomJson(random);
        for (int i = 0; i < CASES / 200; i++) {
            byte[] text = texts.everything();
            for (int length = 0; length < text.length; length++) {
                check(Arrays.copyOf(text, length));
            }
        }
    }

    @Test
    void shouldFindSpecialBytesAtEveryPlaceOfAWord() {
        String[] specials = {
            "", "\\n", "\\\"", "\\\\", "\\u00e9", "\\u00E9", "\\uD83D", "\\u00g0", "\\x", "\\", "\n", "\0", "\u001f",
            " ", "\u007f", "é", "地", "🙂", "\"", "é\\n🙂", "\\né", "\\\n", "\u001fé", "\"x", "\","
        };
        for (String special : specials) {
            for (int before = 0; before < 18; before++) {
                for (int after = 0; after < 18; after++) {
                    String value = "\"" + "a".repeat(before) + special + "b".repeat(after) + "\"";
                    check(bytes("{\"skipped\":" + value + "}"));
                    check(bytes("{\"skipped\":" + value + ",\"declared\":7}"));
                    check(bytes("{" + value + ":0,\"declared\":7}"));
                }
            }
        }
    }

    @Test
    void shouldRefuseEveryByteThatIsNoUtf8AtEveryPlaceOfAWord() {
        for (int before = 0; before < 9; before++) {
            for (int value = 0x80; value <= 0xff; value++) {
                for (int second : new int[] {'a', 0x80, 0x9f, 0xa0, 0xbf, 0xff}) {
                    byte[] text = bytes("{\"skipped\":\"" + "a".repeat(before) + "..........\"}");
                    int at = "{\"skipped\":\"".length() + before;
                    text[at] = (byte) value;
                    text[at + 1] = (byte) second;
                    check(text);
                }
            }
        }
    }

    @Test
    void shouldPassOverNumbersOfAnyLength() {
        String[] tails = {
            "", ".", ".5", ".1234567", ".12345678", ".123456789", "e1", "E+12", "e-", ".5e3", ".5.", "-", "x"
        };
        for (int digits = 0; digits < 20; digits++) {
            for (String sign : new String[] {"", "-", "+"}) {
                for (String first : new String[] {"", "0", "3"}) {
                    for (String tail : tails) {
                        String number = sign + first + "1".repeat(digits) + tail;
                        check(bytes("{\"skipped\":" + number + "}"));
                        check(bytes("{\"skipped\":[" + number + " ," + number + "]}"));
                        check(bytes("{\"skipped\":" + number));
                    }
                }
            }
        }
    }

    @Test
    void shouldReadWhatIsDeclaredWhateverSurroundsIt() {
        for (int i = 0; i < CASES; i++) {
            StringBuilder text = new StringBuilder("{");
            long expected = random.nextInt(1000);
            int place = random.nextInt(8);
            for (int field = 0; field < 8; field++) {
                text.append(field == 0 ? "" : random.nextInt(9) == 0 ? " , " : ",");
                text.append(field == place ? "\"declared\":" + expected : undeclared(3));
            }
            byte[] bytes = bytes(text.append('}').toString());
            READERS.forEach((name, reader) -> assertThat(reader.read(bytes, 0, bytes.length))
                    .as("seed " + SEED + ", " + name + ": " + new String(bytes, StandardCharsets.UTF_8))
                    .isEqualTo(new Declared(expected)));
        }
    }

    /** Often the same name in the same place, with a value that may be an object again, also with the declared name in it. */
    private String undeclared(int depth) {
        String name = "\"" + "abcdefghijklmnopqrstuvwxyz".substring(0, random.nextInt(20)) + random.nextInt(3) + "\":";
        if (depth == 0 || random.nextInt(3) > 0) {
            return name + (random.nextBoolean() ? random.nextInt(100_000) : "\"x\"");
        }
        String inner = "{" + undeclared(depth - 1) + ",\"declared\":-1," + undeclared(depth - 1) + "}";
        return name + (random.nextBoolean() ? inner : "[" + inner + ",1," + inner + ",{}]");
    }

    @Test
    void shouldReadOnWhenThereAreMoreNamesThanItRemembers() {
        JsonReader<Declared> reader = JsonReader.generated(Declared.class, MAX_DEPTH);
        for (int i = 0; i < 30_000; i++) {
            String name = "\"key-" + i + "\"";
            byte[] text = bytes("{" + name + ":{" + name + ":[{" + name + ":1}]},\"declared\":" + i + ",\"last\":{}}");
            assertThat(reader.read(text, 0, text.length)).isEqualTo(new Declared((long) i));
        }
    }

    /** True if the text is right. It stands at the very end of its array, and among other bytes. */
    private boolean check(byte[] text) {
        int expected = ScalarJson.firstWrong(text, MAX_DEPTH);
        READERS.forEach((name, reader) -> {
            check(name, reader, text, expected, 0, 0);
            check(name, reader, text, expected, 1 + random.nextInt(8), random.nextInt(20));
        });
        return expected < 0;
    }

    private static void check(
            String name, JsonReader<Declared> reader, byte[] text, int expected, int before, int after) {
        byte[] around = new byte[before + text.length + after];
        Arrays.fill(around, (byte) '"');
        System.arraycopy(text, 0, around, before, text.length);
        int wrong = -1;
        String message = "accepted";
        try {
            reader.read(around, before, before + text.length);
        } catch (MalformedException e) {
            wrong = e.offset();
            message = e.getMessage();
        }
        if (wrong != expected) {
            throw new AssertionError("seed " + SEED + ", " + name + ": wrong at " + expected + ", not at " + wrong
                    + ": " + message + "\n" + new String(text, StandardCharsets.UTF_8).replace('\0', '?'));
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
