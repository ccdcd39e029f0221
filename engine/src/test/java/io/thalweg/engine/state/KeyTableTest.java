// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class KeyTableTest {
    /** A key of few hash codes, equal to others by its number alone. */
    private record Crowded(int number, int hashes) {
        @Override
        public int hashCode() {
            return number % hashes;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Crowded key && key.number == number;
        }
    }

    @Test
    void shouldNotTakeAnIntegerForALong() {
        KeyTable table = new KeyTable();
        table.add(7L, KeyHash.PLAIN.of(7L));

        assertThat(table.find(7, KeyHash.PLAIN.of(7))).isEqualTo(-1);
        assertThat(table.find(7L << Integer.SIZE, KeyHash.PLAIN.of(7L << Integer.SIZE)))
                .isEqualTo(-1);
        assertThat(table.find(7L, KeyHash.PLAIN.of(7L))).isZero();
    }

    /** Small numbers are told apart by their hashes alone, as long as there are no others. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void shouldTellNumbersApartWhoseHashCodesAreEqual(int kinds) {
        long seed = Long.getLong("thalweg.seed", new Random().nextLong());
        Random random = new Random(seed);
        KeyTable table = new KeyTable();
        Map<Object, Integer> model = new LinkedHashMap<>();
        for (int step = 0; step < 4_000; step++) {
            int number = random.nextInt(-500, 500);
            Object key = switch (step < 1_000 ? 0 : random.nextInt(kinds + 1)) {
                case 1 -> (long) number << Integer.SIZE;
                case 2 -> number;
                case 3 -> Integer.toString(number);
                default -> (long) number & 0xFFFF_FFFFL;
            };
            int hash = KeyHash.PLAIN.of(key);
            int entry = table.find(key, hash);

            assertThat(entry).as("seed %d, step %d, key %s", seed, step, key).isEqualTo(model.getOrDefault(key, -1));
            if (entry < 0) {
                model.put(key, table.add(key, hash));
            }
        }
    }

    /** However many keys share a hash code, and however often the table grows. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 17, 1_000})
    void shouldFindWhatAMapFinds(int hashes) {
        long seed = Long.getLong("thalweg.seed", new Random().nextLong());
        Random random = new Random(seed);
        KeyTable table = new KeyTable();
        Map<Crowded, Integer> model = new LinkedHashMap<>();
        for (int step = 0; step < 4_000; step++) {
            Crowded key = new Crowded(random.nextInt(800), hashes);
            int hash = KeyHash.PLAIN.of(key);
            int entry = table.find(key, hash);

            assertThat(entry).as("seed %d, step %d, key %s", seed, step, key).isEqualTo(model.getOrDefault(key, -1));
            if (entry < 0 && random.nextInt(3) > 0) {
                model.put(key, table.add(key, hash));
            }
            assertThat(table.size()).isEqualTo(model.size());
        }
        List<Object> keys = new ArrayList<>();
        for (int entry = 0; entry < table.size(); entry++) {
            keys.add(table.key(entry));
        }
        assertThat(keys).as("entries are in the order in which they came").isEqualTo(List.copyOf(model.keySet()));
    }

    /** 0 means a free slot, and must not be taken for the hash of a key. */
    @Test
    void shouldFindAKeyWhoseHashIsZero() {
        KeyTable table = new KeyTable();
        int entry = table.add("zero", 0);

        assertThat(table.find("zero", 0)).isEqualTo(entry);
        assertThat(table.find("other", 0)).isEqualTo(-1);
        assertThat(table.find("zero", 1)).isEqualTo(-1);
    }
}
