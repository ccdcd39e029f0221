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
        Long boxedLong,
        Integer boxedInt,
        Short boxedShort,
        Byte boxedByte,
        Double boxedDouble,
        Float boxedFloat,
        Boolean boxedYes,
        String text,
        String t,
        @Name("a name of its own, rather long") String named,
        @Name("a \"quoted\\name\"") Integer quoted,
        @Name("größe") Integer size,
        BigDecimal decimal,
        BigInteger big,
        Kind kind,
        Instant instant,
        LocalDate date,
        LocalTime time,
        LocalDateTime dateTime,
        OffsetDateTime offsetTime,
        Inner inner,
        List<Inner> inners,
        List<String> texts,
        List<List<Double>> matrix,
        Set<Kind> kinds,
        Map<String, Long> counts,
        Map<String, Inner> byName,
        long[] longs,
        double[] doubles,
        int[] ints,
        String[] words,
        Inner[] innerArray,
        List<Long>[] listArray) {

    enum Kind {
        SMALL,
        LARGE,
        LARGEST
    }

    private record Inner(int x, String label, Everything.Inner next, List<Inner> more) {}

    /** A few of them, so that a random change is likely to matter. */
    record Few(long a, double b, String text, Integer boxed, boolean yes, List<Double> numbers, Few inner) {}
}
