// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class QuantitiesTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0/s",
        "1, 1.0/s",
        "9, 9.0/s",
        "10, 10/s",
        "999, 999/s",
        "1000, 1.00 k/s",
        "9999, 10.0 k/s",
        "12345, 12.3 k/s",
        "999499, 999 k/s",
        "999500, 1.00 M/s",
        "3210000, 3.21 M/s",
        "999500000, 1.00 G/s"
    })
    void shouldTellRates(long records, String text) {
        assertThat(Quantities.rate(records, 1_000_000_000)).isEqualTo(text);
        assertThat(Quantities.rate(records * 60, 60_000_000_000L)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0.00 s",
        "0.416, 0.42 s",
        "9.994, 9.99 s",
        "9.996, 10.0 s",
        "59.94, 59.9 s",
        "59.96, 1 min 00 s",
        "125, 2 min 05 s",
        "3599.6, 1 h 00 min",
        "3725, 1 h 02 min",
        "360000, 100 h 00 min"
    })
    void shouldTellHowLong(double seconds, String text) {
        assertThat(Quantities.elapsed((long) (seconds * 1e9))).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "0, <1 us",
        "0.99, <1 us",
        "1, 1 us",
        "85.4, 85 us",
        "999.4, 999 us",
        "999.6, 1.00 ms",
        "1250, 1.25 ms",
        "99940, 99.9 ms",
        "99960, 100 ms",
        "999600, 1.00 s",
        "59940000, 59.9 s",
        "125000000, 2 min 05 s"
    })
    void shouldTellLatencies(double us, String text) {
        assertThat(Quantities.micros(us)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0 %", "1, 3, 33 %", "2, 3, 67 %", "3, 3, 100 %", "4, 3, 100 %"})
    void shouldTellShares(long part, long whole, String text) {
        assertThat(Quantities.share(part, whole)).isEqualTo(text);
    }
}
