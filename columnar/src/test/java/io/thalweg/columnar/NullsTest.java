// SPDX-License-Identifier: Apache-2.0
package io.thalweg.columnar;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Null in a column of each type, beside values. */
final class NullsTest {
    enum Color {
        RED
    }

    record Inner(@Nullable Integer number, Optional<String> name) {}

    record Row(
            @Nullable Long aLong,
            @Nullable Integer anInt,
            @Nullable Short aShort,
            @Nullable Byte aByte,
            @Nullable Double aDouble,
            @Nullable Float aFloat,
            @Nullable Boolean aBoolean,
            @Nullable String text,
            @Nullable BigDecimal decimal,
            @Nullable BigInteger whole,
            @Nullable Color color,
            @Nullable Instant instant,
            @Nullable LocalDate day,
            @Nullable LocalTime time,
            @Nullable LocalDateTime local,
            @Nullable OffsetDateTime offset,
            byte @Nullable [] bytes,
            @Nullable Inner inner,
            @Nullable List<@Nullable String> list,
            @Nullable Set<Integer> set,
            @Nullable Map<String, @Nullable Inner> map,
            Optional<Inner> optional) {}

    private static final Row NULLS = new Row(
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            Optional.empty());

    private static Row values() {
        Map<String, @Nullable Inner> map = new HashMap<>();
        map.put("none", null);
        map.put("empty", new Inner(null, Optional.empty()));
        return new Row(
                1L,
                2,
                (short) 3,
                (byte) 4,
                5.5,
                6.5f,
                true,
                "",
                new BigDecimal("7.500000000000000000"),
                BigInteger.TEN,
                Color.RED,
                Instant.EPOCH,
                LocalDate.EPOCH,
                LocalTime.NOON,
                LocalDateTime.of(2024, 2, 29, 12, 0),
                OffsetDateTime.parse("2024-02-29T12:00:00+02:00"),
                new byte[0],
                new Inner(null, Optional.empty()),
                Arrays.asList(null, "a", null),
                Set.of(),
                map,
                Optional.of(new Inner(8, Optional.of("b"))));
    }

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void shouldKeepNulls_inColumnsOfEachType(FormsTest.Form form) throws Exception {
        List<Row> rows = List.of(NULLS, values(), NULLS);
        String path = folder.resolve("rows").toString();
        SinkWriter<Row> writer = form.write(path, Row.class).open(new SinkContext("job", "sink", 0, 1, System.err));
        for (Row row : rows) {
            writer.write(row);
        }
        writer.finish();
        writer.close();

        FakeContext context = new FakeContext();
        assertThat(context.all(form.read(path, Row.class)))
                .usingRecursiveFieldByFieldElementComparator()
                .isEqualTo(rows);
        assertThat(context.bad).isEmpty();
    }
}
