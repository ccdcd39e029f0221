// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.stats.BadReason;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class BadReasonsTest {
    private final BadReasons reasons = new BadReasons();

    private void add(String operator, String reason, long line) {
        reasons.add(operator, new BadRecord("in.csv", line, line * 10, reason, new byte[0]));
    }

    @Test
    void shouldPutReasonsTogetherThatDifferInNumbersAndTexts() {
        add("source", "byte 30, 'shop-id': a number is expected, found a string", 1);
        add("source", "byte 7, 'shop-id': a number is expected, found a string", 2);
        add("source", "byte 7, 'day': a number is expected, found a string", 3);
        add("parse", "For input string: \"x12\"", 4);
        add("parse", "For input string: \"y\"", 5);
        add("other", "For input string: \"y\"", 6);

        assertThat(reasons.most(10))
                .containsExactly(
                        new BadReason(
                                "parse", "For input string: \"…\"", 2, "in.csv", 4, 40, "For input string: \"x12\""),
                        new BadReason(
                                "source",
                                "byte #, 'shop-id': a number is expected, found a string",
                                2,
                                "in.csv",
                                1,
                                10,
                                "byte 30, 'shop-id': a number is expected, found a string"),
                        new BadReason(
                                "other", "For input string: \"…\"", 1, "in.csv", 6, 60, "For input string: \"y\""),
                        new BadReason(
                                "source",
                                "byte #, 'day': a number is expected, found a string",
                                1,
                                "in.csv",
                                3,
                                30,
                                "byte 7, 'day': a number is expected, found a string"));
    }

    @Test
    void shouldTakeManyQuotedNamesForValues() {
        for (int line = 0; line < 1_000; line++) {
            add("parse", "Text '" + word(line) + "' could not be parsed at index " + line, line + 1);
        }
        assertThat(reasons.most(10)).hasSize(1).first().satisfies(only -> {
            assertThat(only.reason()).isEqualTo("Text '…' could not be parsed at index #");
            assertThat(only.count()).isEqualTo(1_000);
            assertThat(only.line()).isLessThan(9);
        });
    }

    @Test
    void shouldFindTheFrequentAmongAnyNumberOfReasons() {
        Random random = new Random(1);
        long frequent = 0;
        for (int line = 1; line <= 50_000; line++) {
            boolean often = line > 1_000 && random.nextInt(20) == 0; // none among the first
            frequent += often ? 1 : 0;
            add("parse", often ? "no such city" : "no such city as " + word(line), line);
        }
        BadReason first = reasons.most(1).get(0);
        assertThat(reasons.most(1_000)).hasSizeLessThanOrEqualTo(200);
        assertThat(reasons.most(1_000).stream().mapToLong(BadReason::count).sum())
                .isLessThanOrEqualTo(50_000);
        assertThat(first.reason()).isEqualTo("no such city");
        assertThat(first.count()).as("what it inherited is not told").isBetween(frequent / 2, frequent);
    }

    @Test
    void shouldKeepTextsShortAndPlain() {
        reasons.add("parse", new BadRecord("a\u001bb", 0, 0, "\u001b[2J" + "x".repeat(1_000_000), new byte[0]));

        assertThat(reasons.most(1)).first().satisfies(only -> {
            assertThat(only.split()).isEqualTo("a\\u001bb");
            assertThat(only.example()).startsWith("\\u001b[2Jxxx").hasSize(200);
            assertThat(only.reason()).hasSizeLessThanOrEqualTo(200);
        });
    }

    @Test
    void shouldAddWhatOthersHaveTold() throws Exception {
        add("source", "byte 3: no value", 1);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(reasons);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            ((BadReasons) in.readObject()).most(10).forEach(reasons::add);
        }
        add("source", "byte 4: no value", 2);

        assertThat(reasons.most(10))
                .containsExactly(new BadReason("source", "byte #: no value", 3, "in.csv", 1, 10, "byte 3: no value"));
    }

    /** A word of its own, without digits. */
    private static String word(int number) {
        return Integer.toString(number)
                .chars()
                .collect(StringBuilder::new, (to, digit) -> to.append((char) (digit + 49)), StringBuilder::append)
                .toString();
    }
}
