// SPDX-License-Identifier: Apache-2.0
package io.thalweg.columnar;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A component of every type that fits a column; arrays, which have no equals of their own, excepted. */
public record Everything(
        long aLong,
        int anInt,
        short aShort,
        byte aByte,
        double aDouble,
        float aFloat,
        boolean aBoolean,
        @Nullable Long maybeLong,
        Optional<String> optional,
        String text,
        BigDecimal decimal,
        BigInteger whole,
        Color color,
        Instant instant,
        LocalDate day,
        LocalTime time,
        LocalDateTime local,
        OffsetDateTime offset,
        Inner inner,
        @Nullable Inner maybeInner,
        List<Inner> inners,
        Set<String> set,
        Map<String, List<@Nullable Integer>> map) {
    public enum Color {
        RED,
        GREEN
    }

    public record Inner(int number, @Nullable String name) {}

    /** The same each time. */
    public static List<Everything> some(int count) {
        Random random = new Random(5);
        return Stream.generate(() -> one(random)).limit(count).toList();
    }

    private static Everything one(Random random) {
        Instant instant = Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000));
        LocalDateTime local = LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
        Inner inner = new Inner(random.nextInt(), random.nextBoolean() ? null : "ä" + random.nextInt(3));
        return new Everything(
                random.nextLong(),
                random.nextInt(),
                (short) random.nextInt(),
                (byte) random.nextInt(),
                random.nextDouble(),
                random.nextFloat(),
                random.nextBoolean(),
                random.nextBoolean() ? null : random.nextLong(),
                random.nextBoolean() ? Optional.empty() : Optional.of(""),
                "text 🙂 " + random.nextInt(10),
                BigDecimal.valueOf(random.nextLong(), 3),
                new BigInteger(100, random).negate(),
                random.nextBoolean() ? Color.RED : Color.GREEN,
                instant,
                local.toLocalDate(),
                local.toLocalTime(),
                local,
                instant.atOffset(ZoneOffset.ofHours(random.nextInt(5))),
                inner,
                random.nextBoolean() ? null : inner,
                Stream.generate(() -> inner).limit(random.nextInt(3)).toList(),
                random.nextBoolean() ? Set.of() : Set.of("one"),
                random.nextBoolean() ? Map.of() : Map.of("k", Arrays.asList(1, null, random.nextInt())));
    }
}
