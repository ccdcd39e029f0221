// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class AdviceTest {
    private static final long MB = 1 << 20;

    @Test
    void shouldAdviseAHeapOfTwiceTheSizeInRoundNumbers() {
        assertThat(Advice.twice(64 * MB)).isEqualTo("128m");
        assertThat(Advice.twice(256 * MB)).isEqualTo("512m");
        assertThat(Advice.twice(900 * MB)).isEqualTo("2g");
        assertThat(Advice.twice(4_096 * MB)).isEqualTo("8g");
    }

    /** Serial and parallel collectors tell a smaller one than {@code -Xmx}. */
    @Test
    void shouldNotAdviseLessThanTwiceTheSizeNorMuchMore() {
        assertThat(Advice.twice(247 * MB)).isEqualTo("512m");
        assertThat(Advice.twice(700 * MB)).isEqualTo("1536m");
        assertThat(Advice.twice(2_560 * MB)).isEqualTo("5g");
        assertThat(Advice.twice(1)).isEqualTo("1m");
    }

    @Test
    void shouldSayItInTheWordsOfEachEngine() {
        assertThat(Advice.of("embedded").largerHeap(256 * MB)).isEqualTo("THALWEG_OPTS=-Xmx512m");
        assertThat(Advice.of("Flink 2.3.0").largerHeap(256 * MB)).isEqualTo("taskmanager.memory.task.heap.size: 512m");
        assertThat(Advice.of("Storm 2.8.3").largerHeap(256 * MB)).isEqualTo("topology.worker.childopts: -Xmx512m");
    }

    /** A job of Thalweg on Flink is changed as one of Thalweg, though Flink runs it. */
    @Test
    void shouldSayItInTheWordsOfWhoWasAsked() {
        MadeUpJob own = new MadeUpJob().operator("in", "source", "", false);
        own.runner = "Flink 2.3.0";
        own.chain(1, "in").task(9, 0.5, 0.5, 0);
        assertThat(own.facts().advice()).isInstanceOf(ThalwegAdvice.class);

        MadeUpJob ofFlink = new MadeUpJob().operator("in", "source", "", false).operator("out", "operator", "", false);
        ofFlink.runner = "Flink 2.3.0";
        ofFlink.chain(1, "in").task(9, 0.5, 0.5, 0).chain(1, "out").task(9, 0.5, 0.5, 0);
        assertThat(ofFlink.facts().advice()).isInstanceOf(FlinkAdvice.class);
    }
}
