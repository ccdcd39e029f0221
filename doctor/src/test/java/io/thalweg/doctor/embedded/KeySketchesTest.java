// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.thalweg.doctor.observation.KeyShare;
import io.thalweg.doctor.observation.KeyShares;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class KeySketchesTest {
    private final KeySketches keys = new KeySketches();

    private KeyShares shares() {
        return keys.shares("levels", "count");
    }

    @Test
    void shouldKnowNothingOfAnEdgeOfWhichNobodyTold() {
        KeySketch unused = keys.along("levels", "count", 0);

        assertThat(shares()).isNull();
    }

    @Test
    void shouldBeExactWithFewKeys_andAddUpTasks() {
        keys.along("levels", "count", 0).add(5, 60);
        keys.along("levels", "count", 1).add(5, 10);
        keys.along("levels", "count", 1).add(-6, 30);
        keys.along("levels", "count", 0).add(7, 900);
        keys.along("levels", "other", 0).add(5, 1_000);

        assertThat(shares().samples()).isEqualTo(4);
        assertThat(shares().records()).isEqualTo(1_000);
        assertThat(shares().hottest())
                .containsExactly(new KeyShare(7, 0.9), new KeyShare(5, 0.07), new KeyShare(-6, 0.03));
    }

    /** As after a restart, which asks for it again. */
    @Test
    void shouldGoOnWithTheSameTask() {
        keys.along("levels", "count", 0).add(5, 3);
        keys.along("levels", "count", 0).add(6, 1);

        assertThat(shares().hottest()).containsExactly(new KeyShare(5, 0.75), new KeyShare(6, 0.25));
    }

    @Test
    void shouldFindHotKeysAmongManyOthers_andSayTooMuchOfNone() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        KeySketch sketch = keys.along("levels", "count", 0);
        Map<Integer, Integer> truth = new HashMap<>();
        int records = 200_000;
        for (int i = 0; i < records; i++) {
            int dice = random.nextInt(100);
            int key = dice < 30 ? -1 : dice < 35 ? -2 : random.nextInt(1_000_000);
            truth.merge(key, 1, Integer::sum);
            sketch.add(key, 1);
        }

        KeyShares shares = shares();

        assertThat(shares.hottest())
                .as("seed " + seed)
                .extracting(KeyShare::hash)
                .containsExactly(-1, -2);
        assertThat(shares.hottest()).as("seed " + seed).allSatisfy(key -> {
            double share = (double) truth.get(key.hash()) / records;
            assertThat(key.share()).isLessThanOrEqualTo(share).isCloseTo(share, within(1.0 / KeySketch.KEYS));
        });
    }

    @Test
    void shouldListNoneWhereAllAreEvenlyMany() {
        KeySketch sketch = keys.along("levels", "count", 0);
        for (int i = 0; i < 100_000; i++) {
            sketch.add(i % 1_000, 8);
        }

        assertThat(shares().hottest()).isEmpty();
        assertThat(shares().hottestShare()).isZero();
        assertThat(shares().largestPart(4)).isEqualTo(0.25);
    }
}
