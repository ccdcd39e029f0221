// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.files.record.MalformedException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Valid and spoilt texts, more with {@code -Dthalweg.cases=100000}: both readers must say what {@link Oracle} says. */
final class JsonReaderFuzzTest {
    private static final long SEED = Long.getLong("thalweg.seed", 20_260_727L);
    private static final int CASES = Integer.getInteger("thalweg.cases", 10_000);

    @Test
    void shouldAgreeWithJacksonOnFewFields() {
        RandomJson texts = new RandomJson(new Random(SEED));
        check(Everything.Few.class, texts::few, CASES);
    }

    @Test
    void shouldAgreeWithJacksonOnEveryKindOfField() {
        RandomJson texts = new RandomJson(new Random(SEED));
        check(Everything.class, texts::everything, CASES / 5);
    }

    private static <R> void check(Class<R> type, Supplier<byte[]> texts, int cases) {
        Map<String, JsonReader<R>> readers =
                Map.of("generated", JsonReader.generated(type, 64), "plain", JsonReader.plain(type, 64));
        Random random = new Random(SEED);
        int good = 0;
        for (int i = 0; i < cases; i++) {
            byte[] text = texts.get();
            Oracle.Answer expected = Oracle.read(type, text);
            for (Map.Entry<String, JsonReader<R>> reader : readers.entrySet()) {
                String problem = problem(reader.getValue(), text, expected, random);
                if (!problem.isEmpty()) {
                    throw new AssertionError("seed " + SEED + ", case " + i + ", " + reader.getKey() + ": " + problem
                            + "\n" + new String(text, StandardCharsets.UTF_8).replace('\0', '?'));
                }
            }
            good += expected.good() ? 1 : 0;
        }
        assertThat(good).as("good texts of " + cases + ", seed " + SEED).isBetween(cases / 5, cases * 4 / 5);
    }

    private static String problem(JsonReader<?> reader, byte[] text, Oracle.Answer expected, Random random) {
        // What stands around the text must not matter: other lines of the same buffer.
        int before = random.nextInt(9);
        byte[] around = new byte[before + text.length + random.nextInt(20)];
        byte[] rest = "\"}]}]}}0123456789\"\",".getBytes(StandardCharsets.UTF_8);
        System.arraycopy(rest, 0, around, before + text.length, around.length - before - text.length);
        System.arraycopy(text, 0, around, before, text.length);
        try {
            Object actual = Oracle.comparable(reader.read(around, before, before + text.length));
            if (expected.deliberatelyDifferent()) {
                return "";
            }
            if (!expected.good()) {
                return "accepted as " + actual + "\nthough " + expected.refusal();
            }
            return expected.value().equals(actual) ? "" : "read as\n" + actual + "\nnot as\n" + expected.value();
        } catch (MalformedException e) {
            if (expected.good()) {
                return "refused: " + e.getMessage();
            }
            boolean told = e.getMessage() != null && e.offset() >= 0 && e.offset() <= text.length;
            return told ? "" : "refused at " + e.offset() + ": " + e.getMessage();
        } catch (RuntimeException e) {
            return "thrown " + e;
        }
    }
}
