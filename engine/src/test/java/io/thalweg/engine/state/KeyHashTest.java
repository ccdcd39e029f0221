// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.engine.chain.Specialiser;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class KeyHashTest {
    private static final Specialiser SPECIALISER = new Specialiser(true);

    private record Texts(String region, String device) {}

    private record Numbers(int first, int second, long third) {}

    private record Nested(
            @Nullable Texts texts, short number, @Nullable Nested more) {}

    private record Nothing() {}

    private record Everything(
            boolean a,
            byte b,
            short c,
            char d,
            int e,
            long f,
            float g,
            double h,
            @Nullable String i,
            List<Integer> j) {}

    /** One text of any case. */
    private record AnyCase(String text, int number) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof AnyCase that && text.equalsIgnoreCase(that.text) && number == that.number;
        }

        @Override
        public int hashCode() {
            return text.toLowerCase(Locale.ROOT).hashCode();
        }
    }

    /** Told apart by one of its components. */
    private record Identified(int id, String text) {
        @Override
        public int hashCode() {
            return id;
        }
    }

    private enum Colour {
        RED
    }

    /** A good hash of 32 bits leaves 85,000 keys about one collision; the JDK's hash leaves 80,000. */
    @Test
    void shouldTellRecordsOfShortTextsApart() {
        List<Texts> keys = new ArrayList<>();
        for (int region = 0; region < 50; region++) {
            for (int device = 0; device < 1700; device++) {
                keys.add(new Texts("region-%02d".formatted(region), "dev-%04d".formatted(device)));
            }
        }

        assertThat(hashes(keys, Texts.class)).hasSizeGreaterThan(keys.size() - 20);
        assertThat(distinct(keys, Object::hashCode)).as("of the JDK").hasSizeLessThan(keys.size() / 10);
    }

    @Test
    void shouldTellRecordsOfSmallNumbersApart() {
        List<Numbers> keys = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            keys.add(new Numbers(i % 100, i / 100 % 100, i / 10_000));
        }

        assertThat(hashes(keys, Numbers.class)).hasSizeGreaterThan(keys.size() - 20);
    }

    /** Slots are chosen by the last bits. */
    @ParameterizedTest
    @ValueSource(ints = {0, 8, 16, 24})
    void shouldSpreadOverAllBits(int bit) {
        KeyHash hash = KeyHash.of(Numbers.class, SPECIALISER);
        int[] counts = new int[256];
        for (int i = 0; i < 256_000; i++) {
            counts[hash.of(new Numbers(i, -i, 1L << (i % 64))) >>> bit & 0xff]++;
        }

        assertThat(IntStream.of(counts).boxed())
                .allSatisfy(count -> assertThat(count).isBetween(800, 1200));
    }

    @Test
    void shouldBeEqualForEqualRecords() {
        long seed = 20_261_125;
        Random random = new Random(seed);
        KeyHash hash = KeyHash.of(Everything.class, SPECIALISER);
        for (int i = 0; i < 1000; i++) {
            byte[] bytes = new byte[8];
            random.nextBytes(bytes);
            double number = i % 3 == 0 ? Double.NaN : random.nextGaussian();
            String text = i % 5 == 0 ? null : "text " + i;

            Function<@Nullable String, Everything> made = t -> new Everything(
                    bytes[0] > 0,
                    bytes[1],
                    bytes[2],
                    (char) bytes[3],
                    bytes[4],
                    bytes[5],
                    bytes[6],
                    number,
                    t,
                    List.of(1));

            assertThat(hash.of(made.apply(text == null ? null : new String(text.toCharArray()))))
                    .as("seed %d, record %d", seed, i)
                    .isEqualTo(hash.of(made.apply(text)));
        }
    }

    @Test
    void shouldHashWithinRecords_nullsAndAll() {
        KeyHash hash = KeyHash.of(Nested.class, SPECIALISER);
        List<Nested> keys = new ArrayList<>();
        keys.add(new Nested(null, (short) 1, null));
        for (int i = 0; i < 100; i++) {
            Nested inner = new Nested(new Texts("region-" + i / 10, "dev-" + i % 10), (short) i, null);
            keys.add(new Nested(new Texts("b", "c"), (short) 1, inner));
            keys.add(new Nested(new Texts("b", "c"), (short) 1, new Nested(null, (short) i, keys.get(i))));
        }

        assertThat(distinct(keys, hash::of)).hasSize(keys.size());
        assertThat(hash.of(new Nested(new Texts("a", "b"), (short) 7, null)))
                .isEqualTo(hash.of(new Nested(new Texts("a", "b"), (short) 7, null)));
    }

    /** Records that are equal, though their components are not, must have one hash. */
    @Test
    void shouldTakeTheHashCode_ofRecordsWithAnEqualsOfTheirOwn() {
        KeyHash hash = KeyHash.of(AnyCase.class, SPECIALISER);

        assertThat(hash).isSameAs(KeyHash.PLAIN);
        assertThat(hash.of(new AnyCase("Abc", 1))).isEqualTo(hash.of(new AnyCase("aBC", 1)));
    }

    @Test
    void shouldTakeTheHashCode_ofRecordsWithOneOfTheirOwn() {
        assertThat(KeyHash.of(Identified.class, SPECIALISER)).isSameAs(KeyHash.PLAIN);
    }

    @Test
    void shouldTakeTheHashCode_ofWhatIsNoRecord() {
        assertThat(List.of(String.class, Long.class, Colour.class, Object.class, List.class))
                .allSatisfy(type -> assertThat(KeyHash.of(type, SPECIALISER)).isSameAs(KeyHash.PLAIN));
    }

    @Test
    void shouldTakeTheHashCode_withoutSpecialisedClasses() {
        assertThat(KeyHash.of(Texts.class, new Specialiser(false))).isSameAs(KeyHash.PLAIN);
    }

    @Test
    void shouldHashARecordOfNothing() {
        KeyHash hash = KeyHash.of(Nothing.class, SPECIALISER);

        assertThat(hash.of(new Nothing())).isEqualTo(hash.of(new Nothing()));
    }

    private static <T> Set<Integer> hashes(List<T> keys, Class<T> type) {
        KeyHash hash = KeyHash.of(type, SPECIALISER);
        assertThat(hash).isNotSameAs(KeyHash.PLAIN);
        return distinct(keys, hash::of);
    }

    private static <T> Set<Integer> distinct(List<T> keys, Function<T, Integer> hash) {
        Set<Integer> hashes = new HashSet<>();
        keys.forEach(key -> hashes.add(hash.apply(key)));
        return hashes;
    }
}
