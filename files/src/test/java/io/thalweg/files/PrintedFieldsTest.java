// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.files.record.IsoTimes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fields that are written and read without the JDK's methods for their class: the same as with them. */
final class PrintedFieldsTest {
    private static final long SEED = Long.getLong("thalweg.seed", 20_261_125L);

    record Real(double value) {}

    record Time(Instant at) {}

    record Text(@Nullable String text, int n) {}

    record Mixed(
            long aLong,
            short aShort,
            double aDouble,
            float aFloat,
            boolean yes,
            @Nullable Double boxed,
            Optional<Instant> at,
            @Nullable String text) {}

    @TempDir
    Path directory;

    private final Random random = new Random(SEED);

    @Test
    void shouldPrintDoublesAsJavaDoes() throws Exception {
        doublesAsJava(100_000);
    }

    @Test
    @Tag("integration")
    void shouldPrintManyDoublesAsJavaDoes() throws Exception {
        doublesAsJava(1_000_000);
    }

    private void doublesAsJava(int count) throws Exception {
        List<Real> numbers = new ArrayList<>();
        for (double value : new double[] {
            0,
            -0.0,
            1,
            100,
            0.1,
            0.001,
            0.0009999,
            9_999_999,
            1e7,
            Math.nextDown(1e7),
            0.1 + 0.2,
            2e-3,
            1.0e-3,
            999.9999999995,
            1234567.125,
            Double.MIN_VALUE,
            Double.MAX_VALUE,
            Double.NaN,
            Double.NEGATIVE_INFINITY
        }) {
            numbers.add(new Real(value));
        }
        for (int i = 0; i < count; i++) {
            double value = switch (i % 4) {
                case 0 -> random.nextInt() / Math.pow(10, random.nextInt(12));
                case 1 -> random.nextLong() / Math.pow(10, random.nextInt(25));
                case 2 -> random.nextDouble() * Math.pow(10, random.nextInt(12) - 4);
                default -> Math.round(random.nextGaussian() * 1e5) / 1e3;
            };
            numbers.add(new Real(random.nextBoolean() ? value : Math.nextUp(value)));
        }
        Path file = directory.resolve("numbers.csv");
        Writing.all(Csv.write(file.toString(), Real.class), numbers);

        assertThat(Files.readAllLines(file).subList(1, numbers.size() + 1))
                .as("seed " + SEED)
                .isEqualTo(numbers.stream()
                        .map(each -> Double.toString(each.value()))
                        .toList());
    }

    @Test
    void shouldPrintInstantsAsJavaDoes() throws Exception {
        List<Time> times =
                new ArrayList<>(List.of(new Time(Instant.MIN), new Time(Instant.MAX), new Time(Instant.EPOCH)));
        for (int i = 0; i < 100_000; i++) {
            long nanos = random.nextInt(1_000) * (random.nextBoolean() ? 1_000_000L : random.nextBoolean() ? 1_000 : 1);
            long seconds = random.nextLong() % (random.nextBoolean() ? 400_000_000_000L : 4_000_000_000L);
            times.add(new Time(Instant.ofEpochSecond(seconds, random.nextBoolean() ? 0 : nanos)));
        }
        Path file = directory.resolve("times.csv");
        Writing.all(Csv.write(file.toString(), Time.class), times);

        assertThat(Files.readAllLines(file).subList(1, times.size() + 1))
                .as("seed " + SEED)
                .isEqualTo(times.stream().map(each -> each.at().toString()).toList());
    }

    @Test
    void shouldReadTimesAsJavaDoes() {
        timesAsJava(50_000);
    }

    @Test
    @Tag("integration")
    void shouldReadManyTimesAsJavaDoes() {
        timesAsJava(500_000);
    }

    private void timesAsJava(int count) {
        String pieces = "0123456789-:.TZtz+ ";
        for (int i = 0; i < count; i++) {
            long seconds = random.nextLong() % (random.nextInt(4) > 0 ? 4_000_000_000L : 80_000_000_000L);
            StringBuilder text = new StringBuilder(
                    Instant.ofEpochSecond(seconds, random.nextBoolean() ? 0 : random.nextInt(1_000) * 1_000_000L)
                            .toString());
            if (Math.abs(seconds) < 4_000_000_000L) {
                byte[] usual = text.toString().getBytes(StandardCharsets.UTF_8);
                assertThat(IsoTimes.instant(usual, 0, usual.length))
                        .as(text.toString())
                        .isNotNull();
            }
            for (int change = random.nextInt(3); change > 0; change--) {
                text.setCharAt(random.nextInt(text.length()), pieces.charAt(random.nextInt(pieces.length())));
            }
            checkInstant(text.toString());
            checkDate(text.substring(0, Math.min(10, text.length())));
        }
        for (String odd : List.of(
                "2023-02-29",
                "2024-02-29",
                "1900-02-29",
                "2000-02-29",
                "2024-04-31",
                "2024-13-01",
                "2024-00-01",
                "2024-01-00",
                "0000-01-01",
                "-001-01-01")) {
            checkDate(odd);
            checkInstant(odd + "T00:00:00Z");
            checkInstant(odd + "T23:59:60Z");
            checkInstant(odd + "T24:00:00Z");
            checkInstant(odd + "T12:30:00.Z");
            checkInstant(odd + "T12:30:00.123456789Z");
            checkInstant(odd + "T12:30:00.1234567890Z");
        }
    }

    private static void checkInstant(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Instant read = IsoTimes.instant(bytes, 0, bytes.length);
        if (read != null) {
            assertThat(Instant.parse(text)).as(text).isEqualTo(read);
        }
    }

    private static void checkDate(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        LocalDate read = IsoTimes.date(bytes, 0, bytes.length);
        LocalDate expected;
        try {
            expected = LocalDate.parse(text);
        } catch (DateTimeException e) {
            expected = null;
        }
        if (read != null || (expected != null && expected.getYear() > 0 && expected.getYear() < 10_000)) {
            assertThat(read).as(text).isEqualTo(expected);
        }
    }

    @Test
    void shouldQuoteWhateverCouldNotBeReadOtherwise() throws Exception {
        String[] pieces = {"a", "\"", "\n", "\r", ",", "ö", "🙂", " ", ";", "5", "ł", "0123456789"};
        for (char delimiter : new char[] {',', ';', '5', '\t'}) {
            List<Text> texts = new ArrayList<>(List.of(new Text(null, 1), new Text("", 1)));
            for (int i = 0; i < 2_000; i++) {
                StringBuilder text = new StringBuilder();
                for (int piece = random.nextInt(5); piece >= 0; piece--) {
                    text.append(pieces[random.nextInt(pieces.length)]);
                }
                texts.add(new Text(text.toString(), 1));
            }
            Path file = directory.resolve("texts.csv");
            Writing.all(Csv.write(file.toString(), Text.class).delimiter(delimiter), texts);
            Path byValues = directory.resolve("values.csv");
            Writing.all(
                    Csv.<Text>write(byValues.toString())
                            .column("text", Text::text)
                            .column("n", Text::n)
                            .delimiter(delimiter),
                    texts);

            assertThat(Files.readString(file)).as("seed " + SEED).isEqualTo(Files.readString(byValues));
            FakeContext context = new FakeContext();
            assertThat(Reading.all(Csv.read(file.toString(), Text.class).delimiter(delimiter), context))
                    .isEqualTo(texts);
            assertThat(context.bad).isEmpty();
        }
    }

    @Test
    void shouldWriteEveryKindOfComponentAsItsValue() throws Exception {
        List<Mixed> rows = List.of(
                new Mixed(Long.MIN_VALUE, (short) -1, 0.25, 0.1f, true, null, Optional.empty(), null),
                new Mixed(1, (short) 2, -3, Float.NaN, false, 1e-5, Optional.of(Instant.EPOCH), "a,b"));
        Path file = directory.resolve("mixed.csv");
        Writing.all(Csv.write(file.toString(), Mixed.class), rows);

        assertThat(Files.readAllLines(file))
                .containsExactly(
                        "aLong,aShort,aDouble,aFloat,yes,boxed,at,text",
                        "-9223372036854775808,-1,0.25,0.1,true,,,",
                        "1,2,-3.0,NaN,false,1.0E-5,1970-01-01T00:00:00Z,\"a,b\"");
    }
}
