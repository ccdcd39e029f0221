// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.Source;
import io.thalweg.files.json.JsonValue;
import io.thalweg.files.record.Epoch;
import io.thalweg.files.record.Name;
import io.thalweg.files.record.Pattern;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written as CSV or JSON is read back as the same records. {@code -Dthalweg.seed} repeats a failure. */
final class RoundTripTest {
    private static final long SEED = Long.getLong("thalweg.seed", 20_261_122L);
    private static final int RECORDS = 300;
    private static final String CHARACTERS = "ab,;\"\n\r\t #'.\\0ä€😀/{}[]:";

    enum Kind {
        SMALL,
        LARGE {
            @Override
            public String toString() {
                return "not its name";
            }
        }
    }

    record Price(BigDecimal amount, @Nullable String currency) {}

    record Times(
            Instant instant,
            LocalDate date,
            LocalTime time,
            LocalDateTime dateTime,
            OffsetDateTime offset,
            ZonedDateTime zoned,
            Duration duration,
            @Pattern("dd.MM.yyyy HH:mm:ss.nnnnnnnnn") LocalDateTime german,

            @Pattern(value = "d MMM uuuu HH:mm:ss", zone = "Asia/Tokyo") Instant tokyo,

            @Pattern("yyyyMMdd") @Nullable LocalDate day,
            @Pattern("uuuu-MM-dd'T'HH:mm:ss.nX") Optional<OffsetDateTime> exact,
            @Epoch(ChronoUnit.SECONDS) Instant seconds,
            @Epoch(ChronoUnit.MILLIS) @Nullable Instant millis,
            @Epoch(ChronoUnit.NANOS) Optional<Instant> nanos) {}

    record Row(
            int n,
            @Nullable Long boxed,
            double number,
            float little,
            boolean yes,
            byte tiny,
            short small,
            @Nullable String text,
            @Name("other text") String other,
            Kind kind,
            @Nullable BigDecimal decimal,
            BigInteger big,
            UUID id,
            Optional<Kind> maybe,
            Price price,
            @Nullable Price discount,
            Optional<Price> tax,
            Times times) {}

    record Tree(JsonValue value, List<String> texts, Map<String, Optional<Integer>> counts) {}

    @TempDir
    Path directory;

    private final Random random = new Random(SEED);

    @Test
    void shouldReadBackCsv() throws Exception {
        String path = directory.resolve("out.csv").toString();
        check(rows(), Csv.write(path, Row.class), Csv.read(path, Row.class));
        String other = directory.resolve("other.csv").toString();
        check(
                rows(),
                Csv.write(other, Row.class).delimiter(';'),
                Csv.read(other, Row.class).delimiter(';'));
    }

    @Test
    void shouldReadBackJson() throws Exception {
        String path = directory.resolve("out.jsonl").toString();
        check(rows(), JsonLines.write(path, Row.class), JsonLines.read(path, Row.class));
    }

    @Test
    void shouldReadBackTrees() throws Exception {
        List<JsonValue> values = new ArrayList<>();
        List<Tree> trees = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            values.add(tree(4));
            trees.add(new Tree(tree(2), List.of(text()), Map.of(text(), Optional.of(i), "none", Optional.empty())));
        }
        String path = directory.resolve("trees.jsonl").toString();
        check(values, JsonLines.write(path), JsonLines.read(path));
        String records = directory.resolve("records.jsonl").toString();
        check(trees, JsonLines.write(records, Tree.class), JsonLines.read(records, Tree.class));
    }

    /** Records travel between tasks, and to other machines, by the codecs of their types. */
    @Test
    void shouldHaveCodecs() {
        Codec<JsonValue> trees = Type.of(JsonValue.class).codec();
        for (int i = 0; i < RECORDS; i++) {
            JsonValue value = tree(4);
            JsonValue back = copied(trees, value);
            assertThat(back).as("seed %d", SEED).isEqualTo(value);
            assertThat(back.toString()).isEqualTo(value.toString());
            assertThat(trees.hash(back)).isEqualTo(trees.hash(value));
        }
        Codec<Row> rows = Type.of(Row.class).codec();
        rows().forEach(row -> assertThat(copied(rows, row)).as("seed %d", SEED).isEqualTo(row));
    }

    private static <T> T copied(Codec<T> codec, T value) {
        ByteWriter out = new ByteWriter(64);
        codec.encode(value, out);
        return codec.decode(new ByteReader(out.toByteArray()));
    }

    private static <T> void check(List<T> records, Sink<T> sink, Source<T> source) throws Exception {
        Writing.all(sink, records);
        FakeContext context = new FakeContext();
        List<T> back = Reading.all(source, context);
        assertThat(context.reasons()).as("seed %d", SEED).isEmpty();
        assertThat(back).as("seed %d", SEED).isEqualTo(records);
    }

    @Test
    void shouldNameTheColumnsOfARecordWithinARecord() throws Exception {
        record Sale(int n, @Nullable Price price) {}
        String path = directory.resolve("sales.csv").toString();
        Writing.all(
                Csv.write(path, Sale.class),
                List.of(new Sale(1, new Price(new BigDecimal("9.90"), "EUR")), new Sale(2, null)));
        assertThat(Path.of(path)).hasContent("n,price.amount,price.currency\n1,9.90,EUR\n2,,\n");
        Path other = Files.writeString(
                directory.resolve("other.csv"), "price.currency,n,more,price.amount\nEUR,1,x,9.90\nUSD,2,,\n,3,,\n");
        FakeContext context = new FakeContext();
        assertThat(Reading.all(Csv.read(other.toString(), Sale.class), context))
                .containsExactly(new Sale(1, new Price(new BigDecimal("9.90"), "EUR")), new Sale(3, null));
        assertThat(context.reasons())
                .containsExactly("byte 7, column 'price.amount': it is empty, and its component is not @Nullable; if"
                        + " it may be so, declare it '@Nullable BigDecimal amount'");
    }

    @Test
    void shouldWriteADecimalOfManyDigitsWithItsExponent() throws Exception {
        List<Price> prices = new ArrayList<>();
        for (String amount : List.of("1E+9999", "-1.25E-9000", "1E-300", "1E-997", "1E-998", "1E+998")) {
            prices.add(new Price(new BigDecimal(amount), amount));
        }
        String path = directory.resolve("prices.csv").toString();
        Writing.all(Csv.write(path, Price.class), prices);
        FakeContext context = new FakeContext();
        assertThat(Reading.all(Csv.read(path, Price.class), context)).isEqualTo(prices);
        assertThat(context.reasons()).isEmpty();

        Writing.all(Csv.write(path, Price.class), List.of(new Price(new BigDecimal("1E+999999999"), "EUR")));
        assertThat(Path.of(path)).hasContent("amount,currency\n1E+999999999,EUR\n");
    }

    @Test
    void shouldRefuseWhatCsvCannotHold() {
        record Lists(int n, List<String> names) {}
        record Deep(Lists lists) {}
        record Endless(int n, @Nullable Endless next) {}
        record Clash(Price price, @Name("price.amount") int amount) {}
        refused(Lists.class, "record Lists, component 'names': java.util.List cannot be read from CSV; use");
        refused(Deep.class, "record Lists, component 'names': java.util.List cannot be read from CSV; use");
        refused(Endless.class, "record Endless, component 'next': CSV cannot hold a record that contains itself");
        assertThatThrownBy(() -> Csv.write("out.csv", Clash.class)).hasMessageContaining("two columns 'price.amount'");
    }

    private static void refused(Class<?> type, String message) {
        assertThatThrownBy(() -> Csv.write("out.csv", type)).hasMessageStartingWith(message);
        assertThatThrownBy(() -> Csv.read("in.csv", type)).hasMessageStartingWith(message);
    }

    @Test
    void shouldNotWriteWhatAColumnCannotHold() {
        Sink<Price> sink = Csv.<Price>write(directory.resolve("out.csv").toString())
                .column("n", price -> 1)
                .column("price", price -> price);
        assertThatThrownBy(() -> Writing.all(sink, List.of(new Price(BigDecimal.ONE, null))))
                .isInstanceOf(ConnectorException.class)
                .hasMessage("column 'price': a field of CSV cannot hold a Price; add a column for each of its parts, or"
                        + " write JSON lines");
    }

    private List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            rows.add(new Row(
                    random.nextInt(),
                    random.nextBoolean() ? null : random.nextLong(),
                    Double.longBitsToDouble(random.nextLong() & 0xbfff_ffff_ffff_ffffL),
                    random.nextFloat() * random.nextInt(),
                    random.nextBoolean(),
                    (byte) random.nextInt(),
                    (short) random.nextInt(),
                    random.nextBoolean() ? null : text(),
                    text(),
                    Kind.values()[random.nextInt(2)],
                    random.nextBoolean() ? null : decimal(),
                    new BigInteger(random.nextInt(200), random).negate(),
                    new UUID(random.nextLong(), random.nextLong()),
                    maybe(Kind.LARGE),
                    price(),
                    random.nextBoolean() ? null : price(),
                    maybe(price()),
                    times()));
        }
        return rows;
    }

    private Times times() {
        Instant instant = Instant.ofEpochSecond(random.nextInt() * 20L, random.nextInt(1_000_000_000));
        LocalDateTime local = LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
        ZonedDateTime zoned = instant.atZone(ZoneId.of("Europe/Berlin"));
        return new Times(
                instant,
                local.toLocalDate(),
                local.toLocalTime(),
                local,
                instant.atOffset(ZoneOffset.ofHours(random.nextInt(10))),
                zoned,
                Duration.ofSeconds(random.nextInt(), random.nextInt(1000)),
                local,
                instant.truncatedTo(ChronoUnit.SECONDS),
                random.nextBoolean() ? null : local.toLocalDate(),
                maybe(instant.atOffset(ZoneOffset.ofHours(1))),
                instant,
                random.nextBoolean() ? null : instant.truncatedTo(ChronoUnit.MILLIS),
                maybe(instant));
    }

    private Price price() {
        return new Price(decimal(), random.nextBoolean() ? null : text());
    }

    /** CSV writes no exponent, so none that has one. */
    private BigDecimal decimal() {
        return new BigDecimal(new BigInteger(random.nextInt(150), random), random.nextInt(30));
    }

    private <T> Optional<T> maybe(T value) {
        return random.nextBoolean() ? Optional.empty() : Optional.of(value);
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        int[] characters = CHARACTERS.codePoints().toArray();
        for (int length = random.nextInt(12); length > 0; length--) {
            text.appendCodePoint(characters[random.nextInt(characters.length)]);
        }
        return text.toString();
    }

    private JsonValue tree(int depth) {
        return switch (random.nextInt(depth == 0 ? 5 : 8)) {
            case 0 -> JsonValue.nothing();
            case 1 -> JsonValue.of(random.nextBoolean());
            case 2 -> JsonValue.of(text());
            case 3 -> JsonValue.of(random.nextLong());
            case 4 ->
                new JsonValue.Numeric(
                        random.nextInt() + "." + "0".repeat(random.nextInt(9)) + "1E-0" + random.nextInt(99));
            case 5 -> {
                List<JsonValue> elements = new ArrayList<>();
                for (int i = random.nextInt(5); i > 0; i--) {
                    elements.add(tree(depth - 1));
                }
                yield new JsonValue.Elements(elements);
            }
            default -> {
                Map<String, JsonValue> fields = new LinkedHashMap<>();
                for (int i = random.nextInt(5); i > 0; i--) {
                    fields.put(text(), tree(depth - 1));
                }
                yield new JsonValue.Fields(fields);
            }
        };
    }
}
