// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.files.record.MalformedException;
import java.math.BigDecimal;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.junit.jupiter.api.Test;

final class ColumnValueTest {
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
