// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.thalweg.lab.driver.Sample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FiguresTest {
    private static final long TENTH_NS = 100_000_000;

    /** A million records a second, wherever between two samples they begin and end: the samples are no part of what is measured. */
    @Test
    void shouldHaveTheRateOfAnEngine_whenItsSamplesAreFew() throws Exception {
        for (int shift = 0; shift < 10; shift++) {
            List<Sample> samples = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                long us = Math.max(0, i * 100_000L + shift * 10_000L - 300_000);
                samples.add(sample(i * TENTH_NS, Math.min(us, 1_000_000)));
            }
            Figures figures = Figures.metered(samples);
            assertThat(figures.records()).isEqualTo(1_000_000);
            assertThat(figures.steadyPerSecond()).as("shifted by %s", shift).isCloseTo(1e6, within(1.0));
        }
    }

    @Test
    void shouldNotTimeWhatIsOverAtOnce() {
        assertThatThrownBy(
                        () -> Figures.metered(List.of(sample(0, 0), sample(TENTH_NS, 100), sample(2 * TENTH_NS, 100))))
                .isInstanceOf(IOException.class)
                .hasMessage("all 100 records came out too soon to be timed; take more --records");
        assertThatThrownBy(() -> Figures.metered(List.of(sample(0, 0)))).hasMessage("nothing came out");
    }

    @Test
    void shouldMissWhatDoesNotCome_andTakeNothingTwice() {
        Arrivals arrivals = new Arrivals(3);
        arrivals.add(2);
        arrivals.add(0);
        assertThat(arrivals.left()).isEqualTo(1);
        assertThatThrownBy(() -> arrivals.add(0)).hasMessage("message 0 came twice");
        assertThatThrownBy(() -> arrivals.add(3)).hasMessage("a message with the number 3 came, of 3");
        assertThat(arrivals.left()).isEqualTo(1);
    }

    private static Sample sample(long timeNs, long received) {
        return new Sample(timeNs, received, 0, received, 0, 0, 0, 0, 0, 0, 0);
    }
}
