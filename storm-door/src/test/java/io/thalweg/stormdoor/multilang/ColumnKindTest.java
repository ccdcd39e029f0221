// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.multilang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ColumnKindTest {
    @Test
    void shouldPutWholeNumbersAmongDoubles_ifNothingIsLost() {
        assertThat(ColumnKind.both(ColumnKind.of(1L << 53), ColumnKind.of(2.5))).isEqualTo(ColumnKind.REAL);
        assertThat(ColumnKind.both(ColumnKind.REAL, ColumnKind.of(-1L))).isEqualTo(ColumnKind.REAL);
        assertThat(ColumnKind.both(ColumnKind.of((1L << 53) + 1), ColumnKind.REAL))
                .isNull();
        assertThat(ColumnKind.both(ColumnKind.REAL, ColumnKind.of(Long.MIN_VALUE)))
                .isNull();
        assertThat(ColumnKind.both(ColumnKind.WHOLE, ColumnKind.LARGE)).isEqualTo(ColumnKind.LARGE);
    }

    @Test
    void shouldKeepOtherTypesApart_butForNulls() {
        for (ColumnKind one : EnumSet.allOf(ColumnKind.class)) {
            assertThat(ColumnKind.both(one, ColumnKind.NOTHING)).isEqualTo(one);
            assertThat(ColumnKind.both(ColumnKind.NOTHING, one)).isEqualTo(one);
            for (ColumnKind other : List.of(ColumnKind.TRUTH, ColumnKind.TEXT, ColumnKind.BYTES)) {
                if (one != ColumnKind.NOTHING && one != other) {
                    assertThat(ColumnKind.both(one, other)).isNull();
                }
            }
        }
    }

    @Test
    void shouldHaveAFewTypesForAllValues() {
        assertThat(ColumnKind.cell((short) 3)).isEqualTo(3L);
        assertThat(ColumnKind.cell(2.5f)).isEqualTo(2.5);
        assertThat(ColumnKind.cell(BigInteger.TEN)).isEqualTo(10L);
        assertThat(ColumnKind.cell(Optional.empty())).isNull();
        assertThat(ColumnKind.cell(Optional.of(1))).isEqualTo(1L);
        assertThat(ColumnKind.cell(new BigDecimal("1.50"))).isEqualTo("1.50");
        assertThat(ColumnKind.cell(Instant.EPOCH)).isEqualTo("1970-01-01T00:00:00Z");
        assertThat(ColumnKind.cell('x')).isEqualTo("x");
        for (Object each : List.of(List.of(), BigInteger.ONE.shiftLeft(63), new int[0])) {
            assertThatThrownBy(() -> ColumnKind.cell(each))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("cannot be in a column");
        }
    }
}
