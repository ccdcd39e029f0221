// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.StableHash;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class KeyNumbersTest {
    private static final int STEPS = 20_000;

    /** Beside a map, with few hashes too, so that keys stand in each other's way when others are removed. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 40, Integer.MAX_VALUE})
    void shouldFindWhatIsThere_whileKeysComeAndGo(int hashes) {
        SplittableRandom random = new SplittableRandom(hashes);
        KeyNumbers numbers = new KeyNumbers();
        Map<Integer, Integer> expected = new HashMap<>();
        for (int step = 0; step < STEPS; step++) {
            Integer key = random.nextInt(step % 4_000 < 2_000 ? 200 : 20);
            int hash = KeyHash.PLAIN.of(key) % hashes;
            int found = numbers.find(key, hash);
            assertThat(found).isEqualTo(expected.getOrDefault(key, -1));
            if (found < 0) {
                int number = numbers.add(key, hash);
                assertThat(expected).doesNotContainValue(number);
                expected.put(key, number);
            } else if (random.nextBoolean()) {
                numbers.remove(found);
                expected.remove(key);
            }
        }
        expected.forEach((key, number) -> assertThat(numbers.key(number)).isEqualTo(key));
        assertThat(IntStream.range(0, numbers.limit()).filter(n -> numbers.key(n) != null))
                .hasSameSizeAs(expected.values());
    }

    @Test
    void shouldMeasureItsKeysAgain_onceManyAreNew() {
        KeyNumbers numbers = new KeyNumbers();
        IntStream.range(0, 64).forEach(i -> numbers.add("key " + i, i));
        long before = numbers.bytes() - numbers.bytesOfArrays();
        assertThat(before).isEqualTo(64 * HeapSize.of("key 00"));

        String large = "x".repeat(1_000);
        for (int i = 0; i < 64; i++) { // the place of each is used again
            numbers.remove(i);
            assertThat(numbers.add(large + i, i)).isEqualTo(i);
        }
        assertThat(numbers.bytes() - numbers.bytesOfArrays()).isGreaterThanOrEqualTo(64 * HeapSize.of(large));
    }

    /** A task has the keys of some key groups; one of sixteen tasks those of sixteen. */
    @Test
    void shouldSpreadTheKeysOfATaskOverAllSlots() {
        long slotsUsed = IntStream.range(0, 1 << 16)
                .filter(key -> StableHash.keyGroup(Integer.hashCode(key)) < 16)
                .map(key -> KeyHash.PLAIN.of(key) & 0xFF)
                .distinct()
                .count();
        assertThat(slotsUsed).isEqualTo(256);
    }
}
