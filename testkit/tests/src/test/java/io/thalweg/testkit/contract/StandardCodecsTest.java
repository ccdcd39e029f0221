// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.thalweg.api.codec.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every type that has a codec of itself. */
@ParameterizedClass(name = "{0}")
@MethodSource("types")
final class StandardCodecsTest extends CodecContract<Object> {
    enum Kind {
        PLAIN,
        WITH_BODY {
            @Override
            public String toString() {
                return "not the name";
            }
        }
    }

    sealed interface Shape permits Dot, Box {}

    record Dot() implements Shape {}

    record Box(double width, Shape inside) implements Shape {}

    record Pair<A, B>(A first, B second) {}

    record Mixed(int number, String text, Kind kind, Set<String> names, List<Mixed> more) {}

    static class Parent {
        Set<String> names = Set.of();
    }

    static final class Plain extends Parent {
        int number;
        transient int forgotten = 7;

        static Plain of(int number, Set<String> names) {
            Plain plain = new Plain();
            plain.number = number;
            plain.names = names;
            return plain;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Plain plain && number == plain.number && names.equals(plain.names);
        }

        @Override
        public int hashCode() {
            return number;
        }
    }

    private final Type<Object> type;
    private final List<Object> values;

    @SuppressWarnings("unchecked") // the values are of the type
    StandardCodecsTest(Type<?> type, List<?> values) {
        this.type = (Type<Object>) type;
        this.values = List.copyOf(values);
    }

    static Stream<Arguments> types() {
        Type<String> text = Type.of(String.class);
        Type<Integer> number = Type.of(Integer.class);
        Set<String> forth = new LinkedHashSet<>(List.of("a", "b", "c"));
        Set<String> back = new LinkedHashSet<>(List.of("c", "b", "a"));
        Mixed leaf = new Mixed(-1, "", Kind.PLAIN, forth, List.of());
        return Stream.of(
                of(Boolean.class, true, false),
                of(Byte.class, (byte) 0, Byte.MIN_VALUE, Byte.MAX_VALUE),
                of(Short.class, (short) 0, Short.MIN_VALUE, Short.MAX_VALUE),
                of(Character.class, 'a', '\0', '\uffff', '\ud83d'),
                of(Integer.class, 0, -1, 63, 64, -64, -65, Integer.MIN_VALUE, Integer.MAX_VALUE),
                of(Long.class, 0L, -1L, 1L << 62, Long.MIN_VALUE, Long.MAX_VALUE),
                of(Float.class, 0f, -0f, Float.NaN, Float.MIN_VALUE, Float.NEGATIVE_INFINITY),
                of(Double.class, 0d, -0d, Double.NaN, Double.MIN_VALUE, Double.NEGATIVE_INFINITY),
                of(String.class, "", "a", "Größe 🙂", "half \ud83d a pair", "\0", "x".repeat(300)),
                of(BigInteger.class, BigInteger.ZERO, BigInteger.TWO.pow(200).negate()),
                of(
                        BigDecimal.class,
                        BigDecimal.ZERO,
                        new BigDecimal("1.0"),
                        new BigDecimal("1.00"),
                        new BigDecimal("-1E+99")),
                of(UUID.class, new UUID(0, 0), new UUID(-1, Long.MAX_VALUE)),
                of(LocalDate.class, LocalDate.EPOCH, LocalDate.MIN, LocalDate.MAX),
                of(LocalTime.class, LocalTime.MIDNIGHT, LocalTime.MAX),
                of(LocalDateTime.class, LocalDateTime.MIN, LocalDateTime.MAX),
                of(Instant.class, Instant.EPOCH, Instant.MIN, Instant.MAX, Instant.ofEpochSecond(-1, 1)),
                of(Duration.class, Duration.ZERO, Duration.ofSeconds(Long.MIN_VALUE), Duration.ofNanos(-1)),
                of(Kind.class, Kind.PLAIN, Kind.WITH_BODY),
                of(byte[].class, new byte[0], new byte[] {1, -1}, new byte[300]),
                of(int[].class, new int[0], new int[] {Integer.MIN_VALUE, 0, Integer.MAX_VALUE}),
                of(long[].class, new long[0], new long[] {Long.MIN_VALUE, 0}),
                of(double[].class, new double[0], new double[] {-0d, Double.NaN}),
                of(int[].class, new int[0], new int[] {7, Integer.MIN_VALUE}),
                of(String[].class, new String[0], new String[] {"a", null}),
                of(int[][].class, new int[0][], new int[][] {{1}, {}, {2, 3}}),
                of(Dot.class, new Dot()),
                of(Shape.class, new Dot(), new Box(1, new Box(2, new Dot())), new Box(0, null)),
                of(Mixed.class, leaf, new Mixed(1, null, Kind.WITH_BODY, null, List.of(leaf, leaf))),
                of(Mixed.class, leaf, new Mixed(-1, "", Kind.PLAIN, back, List.of())),
                of(Plain.class, new Plain(), Plain.of(1, forth), Plain.of(1, back)),
                arguments(Type.of(Pair.class, text, number), List.of(new Pair<>("a", 1), new Pair<>(null, null))),
                arguments(Type.list(text), List.of(List.of(), Arrays.asList("a", null), new ArrayList<>(forth))),
                arguments(Type.set(text), List.of(Set.of(), forth, back, new TreeSet<>(back))),
                arguments(Type.list(Type.set(text)), List.of(List.of(forth, back), List.of(back, forth))),
                arguments(
                        Type.map(text, number),
                        List.of(Map.of(), Map.of("a", 1, "b", 2), new TreeMap<>(Map.of("b", 2, "a", 1)))),
                arguments(Type.of(Optional.class, text), List.of(Optional.empty(), Optional.of(""))));
    }

    private static Arguments of(Class<?> type, Object... values) {
        return arguments(Type.of(type), List.of(values));
    }

    @Override
    protected Type<Object> type() {
        return type;
    }

    @Override
    protected List<Object> values() {
        return values;
    }

    @Override
    @SuppressWarnings("unchecked") // only such lists are made here
    protected void change(Object value) {
        if (value instanceof byte[] bytes && bytes.length > 0) {
            bytes[0]++;
        } else if (value instanceof int[][] rows && rows.length > 0) {
            rows[0][0]++;
        } else if (value instanceof Plain plain) {
            plain.number++;
        } else if (value instanceof Mixed mixed && mixed.names() != null) {
            mixed.names().clear();
        } else if (value instanceof List<?> list) {
            list.clear();
        }
    }
}
