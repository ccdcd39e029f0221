// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.columnar.FakeContext;
import io.thalweg.columnar.Others;
import io.thalweg.columnar.Others.Flat;
import io.thalweg.columnar.Others.Nested;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Arrow wrote. */
final class ReadingTest {
    private static final Instant BEGIN = Instant.parse("2024-02-29T12:00:00Z");

    private final FakeContext context = new FakeContext();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "none-v1",
                "none-v2",
                "snappy-v1",
                "snappy-v2",
                "gzip-v1",
                "gzip-v2",
                "zstd-v1",
                "zstd-v2",
                "delta-v1",
                "delta-v2",
                "delta-length",
                "plain",
                "groups",
                "checksum"
            })
    void shouldReadAllPackingsAndEncodings(String form) throws Exception {
        assertThat(context.all(Parquet.read(Others.file("flat-" + form + ".parquet"), Flat.class)))
                .isEqualTo(Others.flat());
        assertThat(context.bad).isEmpty();
    }

    @Test
    void shouldReadAFileWithoutRows() throws Exception {
        assertThat(context.all(Parquet.read(Others.file("flat-empty.parquet"), Flat.class)))
                .isEmpty();
    }

    @Test
    void shouldReadListsMapsAndRecordsInEachOther() throws Exception {
        List<Nested> read = context.all(Parquet.read(Others.file("nested.parquet"), Nested.class));
        assertThat(read.stream().map(Nested::text))
                .isEqualTo(Others.nested().stream().map(Nested::text).toList());
    }

    enum Color {
        RED,
        GREEN
    }

    record Numbers(
            byte i8, int i16, short u8, long u32, BigInteger u64, float f32, BigDecimal money, BigInteger wide) {}

    @Test
    void shouldReadNumbers() throws Exception {
        BigInteger most = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);
        assertThat(context.all(Parquet.read(Others.file("types.parquet"), Numbers.class)))
                .isEqualTo(IntStream.range(0, Others.ROWS)
                        .mapToObj(i -> new Numbers(
                                (byte) (i - 50),
                                i * 300 - 15000,
                                (short) (i + 150),
                                (1L << 32) - 1 - i,
                                most.subtract(BigInteger.valueOf(i)),
                                i * 0.25f,
                                BigDecimal.valueOf(i * 101 - 5000, 2),
                                BigInteger.valueOf(i - 50).multiply(BigInteger.TEN.pow(20))))
                        .toList());
    }

    record Times(
            LocalDate day,
            LocalTime clockMs,
            LocalTime clockUs,
            Instant atMs,
            Instant atUs,
            Instant atNs,
            LocalDateTime local,
            LocalDate iso,
            Color color) {}

    @Test
    void shouldReadTimesOfAllUnits() throws Exception {
        assertThat(context.all(Parquet.read(Others.file("types.parquet"), Times.class)))
                .isEqualTo(IntStream.range(0, Others.ROWS)
                        .mapToObj(i -> {
                            Instant at = at(i);
                            LocalDate day = at.atOffset(ZoneOffset.UTC).toLocalDate();
                            return new Times(
                                    day,
                                    LocalTime.of(i % 24, 1, 2, 3_000_000),
                                    LocalTime.of(i % 24, 1, 2, 3_000),
                                    at.truncatedTo(ChronoUnit.MILLIS),
                                    at,
                                    Instant.ofEpochSecond(0, i * 1_000_000_007L),
                                    LocalDateTime.ofInstant(at, ZoneOffset.UTC),
                                    day,
                                    i % 2 == 0 ? Color.RED : Color.GREEN);
                        })
                        .toList());
    }

    private static Instant at(int row) {
        return BEGIN.plus(row, ChronoUnit.DAYS).plus(row * 1001L, ChronoUnit.MICROS);
    }

    record Bytes(byte[] raw, byte[] fixed) {}

    @Test
    void shouldReadBytes() throws Exception {
        List<Bytes> read = context.all(Parquet.read(Others.file("types.parquet"), Bytes.class));
        for (int i = 0; i < Others.ROWS; i++) {
            assertThat(read.get(i).raw()).containsExactly(i, 255 - i);
            assertThat(read.get(i).fixed()).containsExactly(i, i, i);
        }
    }

    record Old(Instant at) {}

    @Test
    void shouldReadTimestampsOf96Bits() throws Exception {
        assertThat(context.all(Parquet.read(Others.file("int96.parquet"), Old.class)))
                .isEqualTo(IntStream.range(0, Others.ROWS)
                        .mapToObj(i -> new Old(at(i)))
                        .toList());
    }

    record Optionals(long id, Optional<Double> value) {}

    @Test
    void shouldReadNullAsAnEmptyOptional() throws Exception {
        assertThat(context.all(Parquet.read(Others.file("flat-plain.parquet"), Optionals.class)))
                .isEqualTo(Others.flat().stream()
                        .map(each -> new Optionals(each.id(), Optional.ofNullable(each.value())))
                        .toList());
    }

    record Required(long id, Double value) {}

    @Test
    void shouldRefuseNull_whereTheComponentIsNotNullable() throws Exception {
        List<Required> read = context.all(Parquet.read(Others.file("flat-plain.parquet"), Required.class));
        assertThat(read)
                .isEqualTo(Others.flat().stream()
                        .filter(each -> each.value() != null)
                        .map(each -> new Required(each.id(), each.value()))
                        .toList());
        assertThat(context.bad).hasSize(34);
        assertThat(context.bad.get(1).offset()).isEqualTo(3);
        assertThat(context.bad.get(1).reason())
                .isEqualTo("'value': it is null, and may be only if it is declared as @Nullable or Optional");
    }

    record Narrow(long id, byte u32) {}

    record NarrowId(byte u8) {}

    @Test
    void shouldRefuseNumbersOutOfRange_oneByOne() throws Exception {
        assertThat(context.all(Parquet.read(Others.file("types.parquet"), NarrowId.class)))
                .isEmpty();
        assertThat(context.bad).hasSize(Others.ROWS);
        assertThat(context.bad.get(7).reason()).isEqualTo("'u8': 157 is out of the range of byte");
    }

    record Even(int small) {
        Even {
            if (small % 2 != 0) {
                throw new IllegalArgumentException("odd");
            }
        }
    }

    @Test
    void shouldCountARecordThatItsOwnConstructorRefuses() throws Exception {
        assertThat(context.all(Parquet.read(Others.file("flat-groups.parquet"), Even.class)))
                .hasSize(50);
        assertThat(context.bad.get(0).reason()).isEqualTo("the record does not accept it: odd");
        assertThat(context.bad.get(0).split()).endsWith("flat-groups.parquet, row groups 0 to 0");
    }

    record Missing(long id, String nmae) {}

    record NestedMissing(Inner price) {
        record Inner(double amount, String curency) {}
    }

    record WrongType(String id) {}

    record WrongList(List<String> id) {}

    record LocalAsInstant(Instant local) {}

    @Test
    void shouldSayWhichColumnDoesNotFit_whenTheJobStarts() {
        assertUnfit(
                "flat-plain.parquet",
                Missing.class,
                "there is no column 'nmae', which the record declares; there are: " + "id, name, value, small, flag");
        assertUnfit(
                "nested.parquet",
                NestedMissing.class,
                "there is no column 'price.curency', which the record declares; "
                        + "there are: amount, currency, note");
        assertUnfit("flat-plain.parquet", WrongType.class, "column 'id' is int64, and the record declares String");
        assertUnfit(
                "flat-plain.parquet", WrongList.class, "column 'id' is int64, and the record declares List<String>");
        assertUnfit(
                "types.parquet",
                LocalAsInstant.class,
                "column 'local' is int64 TIMESTAMP(MICROS,false), and the record declares Instant");
        assertUnfit(
                "nested.parquet",
                Narrow.class,
                "there is no column 'u32', which the record declares; there are: "
                        + "id, tags, holes, grid, price, lines, scores");
    }

    private static void assertUnfit(String file, Class<?> type, String reason) {
        String path = Others.file(file);
        assertThatThrownBy(() -> Parquet.read(path, type).splits(1)).hasMessage("cannot read " + path + ": " + reason);
    }

    record Itself(long id, List<Itself> more) {}

    record Strange(Object id) {}

    @Test
    void shouldRefuseARecordThatNoColumnsFit() {
        assertThatThrownBy(() -> Parquet.read("in", Itself.class))
                .hasMessage("record Itself, component 'more': a record that contains itself fits no columns");
        assertThatThrownBy(() -> Parquet.read("in", Strange.class))
                .hasMessageStartingWith("record Strange, component 'id': java.lang.Object fits no column; use");
    }
}
