// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.columnar.Conversion;
import io.thalweg.columnar.Declared.Scalar;
import io.thalweg.files.record.MalformedException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Map;
import java.util.Objects;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.junit.jupiter.api.Test;

final class ColumnValueTest {
    private static Object read(PrimitiveType column, Class<?> as, Object stored) {
        ColumnValue value = ColumnValue.of(column);
        Conversion conversion = Objects.requireNonNull(Conversion.of(value.type(), new Scalar(as)));
        return conversion.convert(value.meaning().convert(stored));
    }

    private static PrimitiveType column(PrimitiveTypeName stored, LogicalTypeAnnotation logical, int length) {
        return Types.required(stored).length(length).as(logical).named("column");
    }

    @Test
    void shouldReadDecimalsHoweverTheyAreStored() {
        LogicalTypeAnnotation decimal = LogicalTypeAnnotation.decimalType(2, 9);
        BigDecimal expected = new BigDecimal("-2.56");
        byte[] bytes = {-1, -1, -1, 0};
        assertThat(read(column(PrimitiveTypeName.INT32, decimal, 0), BigDecimal.class, -256L))
                .isEqualTo(expected);
        assertThat(read(column(PrimitiveTypeName.INT64, decimal, 0), BigDecimal.class, -256L))
                .isEqualTo(expected);
        assertThat(read(column(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY, decimal, 4), BigDecimal.class, bytes))
                .isEqualTo(expected);
        assertThat(read(column(PrimitiveTypeName.BINARY, decimal, 0), BigDecimal.class, bytes))
                .isEqualTo(expected);
    }

    @Test
    void shouldReadWholeNumbersWithoutASign() {
        for (int bits : new int[] {8, 16, 32}) {
            PrimitiveType column = column(PrimitiveTypeName.INT32, LogicalTypeAnnotation.intType(bits, false), 0);
            long most = (1L << bits) - 1;
            assertThat(read(column, long.class, (long) (int) most)).isEqualTo(most);
        }
        PrimitiveType longs = column(PrimitiveTypeName.INT64, LogicalTypeAnnotation.intType(64, false), 0);
        assertThat(read(longs, long.class, Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
        assertThat(read(longs, BigInteger.class, -1L))
                .isEqualTo(BigInteger.TWO.pow(64).subtract(BigInteger.ONE));
        assertThatThrownBy(() -> read(longs, long.class, -1L)).hasMessageContaining("out of the range of long");
    }

    @Test
    void shouldReadTimesBefore1970() {
        Map.of(TimeUnit.MILLIS, "999", TimeUnit.MICROS, "999999", TimeUnit.NANOS, "999999999")
                .forEach((unit, digits) -> {
                    LogicalTypeAnnotation utc = LogicalTypeAnnotation.timestampType(true, unit);
                    assertThat(read(column(PrimitiveTypeName.INT64, utc, 0), Instant.class, -1L))
                            .isEqualTo(Instant.parse("1969-12-31T23:59:59." + digits + "Z"));
                    LogicalTypeAnnotation local = LogicalTypeAnnotation.timestampType(false, unit);
                    assertThat(read(column(PrimitiveTypeName.INT64, local, 0), LocalDateTime.class, -1L))
                            .isEqualTo(LocalDateTime.parse("1969-12-31T23:59:59." + digits));
                });
        assertThat(read(column(PrimitiveTypeName.INT32, LogicalTypeAnnotation.dateType(), 0), LocalDate.class, -1L))
                .isEqualTo(LocalDate.parse("1969-12-31"));
        byte[] julian = ByteBuffer.allocate(12)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(1)
                .putInt(2_440_587)
                .array();
        assertThat(read(Types.required(PrimitiveTypeName.INT96).named("at"), Instant.class, julian))
                .isEqualTo(Instant.parse("1969-12-31T00:00:00.000000001Z"));
    }

    /** The record is bad, and the job goes on, as with Avro. */
    @Test
    void shouldRefuseADecimalOfNoBytes() {
        ColumnValue decimals = ColumnValue.of(Types.required(PrimitiveTypeName.BINARY)
                .as(LogicalTypeAnnotation.decimalType(2, 9))
                .named("price"));

        assertThat(decimals.meaning().convert(new byte[] {-1, 0})).isEqualTo(new BigDecimal("-2.56"));
        assertThatThrownBy(() -> decimals.meaning().convert(new byte[0]))
                .isInstanceOf(MalformedException.class)
                .hasMessage("a decimal has no bytes");
    }
}
