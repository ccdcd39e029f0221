// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.csv;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.files.record.TextCache;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ColumnTextsTest {
    private static final long SEED = 20_261_123;
    private static final int TEXTS = 200_000;

    /** Few different texts, about as many as there are places, and texts that hardly repeat: all lengths around words. */
    @ParameterizedTest(name = "{0} texts, seed " + SEED)
    @ValueSource(ints = {1, 40, 900, 20_000, 1_000_000})
    void shouldMakeTheTextThatStandsThere(int different) {
        Random random = new Random(SEED);
        ColumnTexts texts = new ColumnTexts();
        for (int i = 0; i < TEXTS; i++) {
            String expected = text(random.nextInt(different));
            byte[] bytes = expected.getBytes(StandardCharsets.UTF_8);
            int before = random.nextInt(10);
            int behind = random.nextInt(10); // the array may end with the text
            byte[] around = new byte[before + bytes.length + behind];
            Arrays.fill(around, (byte) random.nextInt());
            System.arraycopy(bytes, 0, around, before, bytes.length);

            assertThat(texts.value(around, before, before + bytes.length)).isEqualTo(expected);
        }
    }

    /** From 0 to 40 characters, not all of them ASCII. */
    private static String text(int number) {
        Random random = new Random(number);
        StringBuilder text = new StringBuilder();
        for (int left = random.nextInt(41); left > 0; left--) {
            text.append(random.nextInt(9) == 0 ? 'é' : (char) ('a' + random.nextInt(3)));
        }
        return text.toString();
    }

    /** Also while the cache grows. */
    @ParameterizedTest
    @ValueSource(ints = {1, 100, 300})
    void shouldMakeOneObjectOfATextThatRepeats(int different) {
        ColumnTexts texts = new ColumnTexts();
        Set<String> objects = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int round = 0; round < 100; round++) {
            for (int i = 0; i < different; i++) {
                objects.add(value(texts, i));
            }
        }

        assertThat(objects).hasSizeBetween(different, 20 * different);
    }

    /** Of fewer texts than the cache can hold, in an order in which many were new at first. */
    @Test
    void shouldMakeOneObjectOfEachText_ofSeveralThousand() {
        Random random = new Random(SEED);
        ColumnTexts texts = new ColumnTexts();
        Set<String> objects = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < TEXTS; i++) {
            objects.add(value(texts, random.nextInt(2_000)));
        }

        assertThat(objects).hasSizeLessThan(2_100);
    }

    @Test
    void shouldShareObjectsWithReadersOfOtherThreads() {
        int different = 1_000;
        ColumnTexts texts = new ColumnTexts();
        Set<String> objects = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < different; i++) {
            objects.add(value(texts, i));
            objects.add(value(texts.another(), i));
        }

        assertThat(objects).hasSize(different);
    }

    /** As threads do that meet a text at the same time. */
    @Test
    void shouldKeepOneObjectOfATextThatTwoReadersHaveNotFound() {
        byte[] bytes = "here".getBytes(StandardCharsets.UTF_8);
        long tail = TextCache.tail('h' | 'e' << 8 | 'r' << 16 | 'e' << 24, bytes.length);
        TextCache one = new TextCache();
        TextCache another = one.another();
        assertThat(one.find(bytes, 0, bytes.length, 0, tail)).isNull();
        assertThat(another.find(bytes, 0, bytes.length, 0, tail)).isNull();

        String kept = one.put(new String(bytes, StandardCharsets.UTF_8), bytes, 0, bytes.length, 0, tail);
        assertThat(another.put(new String(bytes, StandardCharsets.UTF_8), bytes, 0, bytes.length, 0, tail))
                .isSameAs(kept);
        assertThat(another.find(bytes, 0, bytes.length, 0, tail)).isSameAs(kept);
    }

    /** They may make a text twice while both are new to it; what they make must be right, and settle. */
    @Test
    void shouldMakeTheRightTextsInSeveralThreads() throws Exception {
        ColumnTexts texts = new ColumnTexts();
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try {
            List<Future<Integer>> wrong = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                long seed = SEED + thread;
                ColumnTexts own = texts.another();
                wrong.add(pool.submit(() -> {
                    Random random = new Random(seed);
                    int unlike = 0;
                    for (int i = 0; i < TEXTS; i++) {
                        int number = random.nextInt(30_000);
                        unlike += value(own, number).equals("text number " + number) ? 0 : 1;
                    }
                    return unlike;
                }));
            }
            for (Future<Integer> each : wrong) {
                assertThat(each.get()).as("wrong texts, seed %d", SEED).isZero();
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private static String value(ColumnTexts texts, int number) {
        byte[] bytes = ("text number " + number).getBytes(StandardCharsets.UTF_8);
        return texts.value(bytes, 0, bytes.length);
    }
}
