// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.RunResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RateSearchTest {
    private static final Map<String, String> SETTINGS =
            Map.of("rate", "10_000", "rate-search", "1_000_000", "latency-us", "5_000");

    private final List<String> said = new ArrayList<>();

    @Test
    void shouldFindTheHighestRateThatHoldsItsLatency() throws Exception {
        assertThat(search(SETTINGS, rate -> run(rate, rate > 300_000 ? 5_001 : 5_000))
                        .recordsPerS())
                .isBetween(300_000 / 1.1, 300_000.0);
        assertThat(said.get(0)).isEqualTo("    10,000 records/s: p99 5,000.0 us, held");
    }

    @Test
    void shouldTakeARateThatDoesNotComeOutForNotHeld() throws Exception {
        assertThat(search(SETTINGS, rate -> run(Math.min(rate, 200_000), 1)).recordsPerS())
                .isBetween(200_000 / 1.1, 200_000.0);
    }

    @Test
    void shouldGoOnBelowARateAtWhichTheRunFails() throws Exception {
        RunResult best = search(SETTINGS, rate -> rate > 50_000 ? run(rate, 1).invalid("it hung") : run(rate, 1));
        assertThat(best.recordsPerS()).isBetween(50_000 / 1.1, 50_000.0);
    }

    @Test
    void shouldSayThatNotEvenTheLowestRateHolds() throws Exception {
        assertThat(search(SETTINGS, rate -> run(rate, 6_000)).reason())
                .isEqualTo("not even 10,000 records/s hold a p99 of 5,000 us");
        assertThat(search(SETTINGS, rate -> run(rate, 1).invalid("it hung")).reason())
                .isEqualTo("it hung");
    }

    @Test
    void shouldRefuseWhatIsNoRate() {
        assertThatThrownBy(() -> search(Map.of("rate-search", "fast"), rate -> run(rate, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("rate-search must be a number, not fast");
    }

    private interface Engine {
        RunResult at(double rate);
    }

    private RunResult search(Map<String, String> settings, Engine engine) throws IOException {
        RateSearch search = new RateSearch(
                settings,
                at -> new CellRun.Outcome(engine.at(Double.parseDouble(at.get("rate"))), null, Measured.NOTHING),
                said::add);
        return search.best().result();
    }

    private static RunResult run(double rate, double p99) {
        CellResult.Latency latency = new CellResult.Latency(p99, p99, p99, p99, p99, p99, p99, p99);
        return new RunResult(1, rate, latency, null, 0, 1, true, null, 1, 1, null, null, List.of());
    }
}
