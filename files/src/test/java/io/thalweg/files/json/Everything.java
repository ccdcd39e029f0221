// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import io.thalweg.files.record.Name;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A record with a component of every kind that can be read. */
@SuppressWarnings("ArrayRecordComponent") // the tests compare contents
record Everything(
        long aLong,
        int anInt,
        short aShort,
        byte aByte,
        double aDouble,
        float aFloat,
        boolean yes,
        @Nullable Long boxedLong,
        @Nullable Integer boxedInt,
        @Nullable Short boxedShort,
        @Nullable Byte boxedByte,
        @Nullable Double boxedDouble,
        @Nullable Float boxedFloat,
        @Nullable Boolean boxedYes,
        @Nullable String text,
        @Nullable String t,
        @Name("a name of its own, rather long") @Nullable String named,
        @Name("a \"quoted\\name\"") @Nullable Integer quoted,
        @Name("größe") @Nullable Integer size,
        @Nullable BigDecimal decimal,
        @Nullable BigInteger big,
        @Nullable Kind kind,
        @Nullable Instant instant,
        @Nullable LocalDate date,
        @Nullable LocalTime time,
        @Nullable LocalDateTime dateTime,
        @Nullable OffsetDateTime offsetTime,
        @Nullable Inner inner,
        @Nullable List<Inner> inners,
        @Nullable List<String> texts,
        @Nullable List<List<Double>> matrix,
        @Nullable Set<Kind> kinds,
        @Nullable Map<String, Long> counts,
        @Nullable Map<String, Inner> byName,
        long @Nullable [] longs,
        double @Nullable [] doubles,
        int @Nullable [] ints,
        String @Nullable [] words,
        Inner @Nullable [] innerArray,
        List<Long> @Nullable [] listArray) {

    enum Kind {
        SMALL,
        LARGE,
        LARGEST
    }

    private record Inner(
            int x,
            @Nullable String label,
            Everything.@Nullable Inner next,
            @Nullable List<Inner> more) {}

    /** A few of them, so that a random change is likely to matter. */
    record Few(
            long a,
            double b,
            @Nullable String text,
            @Nullable Integer boxed,
            boolean yes,
            @Nullable List<Double> numbers,
            @Nullable Few inner) {}
}
