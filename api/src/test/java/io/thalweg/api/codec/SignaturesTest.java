// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.operator.FlatMapFunction;
import io.thalweg.api.operator.JoinFunction;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.NullableFunction;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorSupplier;
import io.thalweg.api.operator.Output;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SignaturesTest {
    record Quake(String place, double magnitude, int depth, List<String> networks) {}

    record Pair<A, B>(A first, B second) {}

    @Test
    void shouldReadWhatALambdaReturns() {
        assertThat(map((Quake quake) -> quake.place().length())).isEqualTo(Type.of(Integer.class));
        assertThat(map((Quake quake) -> new Quake("", 0, 0, List.of()))).isEqualTo(Type.of(Quake.class));
    }

    @Test
    void shouldReadWhatALambdaThatCapturesReturns() {
        int add = Integer.parseInt("3");

        assertThat(map((String text) -> text.length() + add)).isEqualTo(Type.of(Integer.class));
    }

    @Test
    void shouldNotTellTheArgumentsOfWhatALambdaReturns() {
        assertThat(map((Quake quake) -> quake.networks())).isNull();
        assertThat(map((Quake quake) -> Optional.of(quake))).isNull();
    }

    @Test
    void shouldReadWhatAMethodReferenceReturns() {
        assertThat(map(Quake::place)).isEqualTo(Type.of(String.class));
        assertThat(map(Quake::magnitude)).isEqualTo(Type.of(Double.class));
        assertThat(map(SignaturesTest::depth)).isEqualTo(Type.of(Integer.class));
        assertThat(map("abc"::charAt)).isEqualTo(Type.of(Character.class));
    }

    @Test
    void shouldReadTheArgumentsOfWhatAMethodReferenceReturns() {
        assertThat(map(Quake::networks)).isEqualTo(Type.list(Type.of(String.class)));
        assertThat(map(SignaturesTest::byPlace)).isEqualTo(Type.map(Type.of(String.class), Type.of(Quake.class)));
        assertThat(map(SignaturesTest::pair))
                .isEqualTo(Type.of(Pair.class, Type.list(Type.of(Long.class)), Type.of(Quake.class)));
    }

    @Test
    void shouldNotTellWhatAGenericMethodReturns() {
        MapFunction<String, List<String>> function = SignaturesTest::listOf;

        assertThat(Signatures.resultOf(function, MapFunction.class)).isNull();
        assertThat(Signatures.resultOf((MapFunction<String, String>) SignaturesTest::same, MapFunction.class))
                .as("the type where it is used tells")
                .isEqualTo(Type.of(String.class));
    }

    @Test
    void shouldReadWhatAConstructorMakes() {
        assertThat(map((MapFunction<String, StringBuilder>) StringBuilder::new))
                .isEqualTo(Type.of(StringBuilder.class));
        assertThat(map((MapFunction<Integer, List<String>>) ArrayList::new)).isNull();
    }

    @Test
    void shouldReadWhichOperatorASupplierMakes() {
        OperatorSupplier<? extends Operator<? super String, Long>> supplier = Lengths::new;

        assertThat(Signatures.resultOf(supplier, OperatorSupplier.class)).isEqualTo(Type.of(Lengths.class));
    }

    @Test
    void shouldReadWhatAClassImplements() {
        assertThat(Signatures.resultOf(new Upper(), MapFunction.class)).isEqualTo(Type.of(String.class));
        assertThat(Signatures.resultOf(new Longer(), MapFunction.class))
                .as("through a generic superclass and interface")
                .isEqualTo(Type.list(Type.of(Long.class)));
        MapFunction<String, Integer> anonymous = new MapFunction<>() {
            @Override
            public Integer apply(String value) {
                return value.length();
            }
        };
        assertThat(Signatures.resultOf(anonymous, MapFunction.class)).isEqualTo(Type.of(Integer.class));
        assertThat(Signatures.resultOf(new Same<String>(), MapFunction.class)).isNull();
    }

    @Test
    void shouldReadOtherContracts() {
        FlatMapFunction<String, Long> flatMap = SignaturesTest::numbers;
        JoinFunction<String, Quake, Quake> join = (text, quake) -> quake;
        NullableFunction<Quake, String> nullable = Quake::place;

        assertThat(Signatures.resultOf(flatMap, FlatMapFunction.class)).isEqualTo(Type.list(Type.of(Long.class)));
        assertThat(Signatures.resultOf(join, JoinFunction.class)).isEqualTo(Type.of(Quake.class));
        assertThat(Signatures.resultOf(nullable, NullableFunction.class)).isEqualTo(Type.of(String.class));
    }

    @Test
    void shouldReadAnArgumentOfAContract() {
        assertThat(Signatures.argument(Lengths.class, Operator.class, 0)).isEqualTo(Type.of(String.class));
        assertThat(Signatures.argument(Lengths.class, Operator.class, 1)).isEqualTo(Type.of(Long.class));
        assertThat(Signatures.argument(MoreLengths.class, Operator.class, 1)).isEqualTo(Type.of(Long.class));
        assertThat(Signatures.argument(Lengths.class, KeyedOperator.class, 2)).isNull();
    }

    private static <T, R> Type<?> map(MapFunction<T, R> function) {
        return Signatures.resultOf(function, MapFunction.class);
    }

    private static int depth(Quake quake) {
        return quake.depth();
    }

    private static Map<String, Quake> byPlace(Quake quake) {
        return Map.of(quake.place(), quake);
    }

    private static Pair<List<Long>, Quake> pair(Quake quake) {
        return new Pair<>(List.of(), quake);
    }

    private static <T> List<T> listOf(T value) {
        return List.of(value);
    }

    private static <T> T same(T value) {
        return value;
    }

    private static List<Long> numbers(String text) {
        return List.of((long) text.length());
    }

    private static final class Upper implements MapFunction<String, String> {
        @Override
        public String apply(String value) {
            return value.toUpperCase(java.util.Locale.ROOT);
        }
    }

    private interface ToList<T, E> extends MapFunction<T, List<E>> {}

    private abstract static class ToLongs<T> implements ToList<T, Long> {}

    private static final class Longer extends ToLongs<String> {
        @Override
        public List<Long> apply(String value) {
            return numbers(value);
        }
    }

    private static final class Same<T> implements MapFunction<T, T> {
        @Override
        public T apply(T value) {
            return value;
        }
    }

    private static class Lengths implements Operator<String, Long> {
        @Override
        public void process(String value, Output<Long> output) {
            output.emit((long) value.length());
        }
    }

    private static final class MoreLengths extends Lengths {}
}
