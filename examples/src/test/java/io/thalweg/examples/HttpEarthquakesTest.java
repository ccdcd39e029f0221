// SPDX-License-Identifier: Apache-2.0
package io.thalweg.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.examples.Thalweg.Ended;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Earthquakes to the example's own service, in a JVM of its own, against the same events counted by hand. */
@Tag("integration")
final class HttpEarthquakesTest {
    private static final Pattern MAG = Pattern.compile("\"mag\":(-?[0-9.]+)");
    private static final Pattern RECEIVED = Pattern.compile("(?m)^received (\\d+) alerts");

    @TempDir
    private Path folder;

    @Test
    void shouldSendEachStrongEarthquake() throws Exception {
        long expected = 0;
        for (String line : Files.readAllLines(Thalweg.job("earthquakes/earthquakes.jsonl"))) {
            Matcher mag = MAG.matcher(line);
            expected += mag.find() && Double.parseDouble(mag.group(1)) >= 4.5 ? 1 : 0;
        }
        assertThat(expected).isGreaterThan(20);

        Ended ended = new Thalweg(folder)
                .command(
                        "run",
                        Thalweg.job("http-earthquakes/HttpEarthquakes.java").toString(),
                        "--quiet",
                        "--set",
                        "mag=4.5");

        assertThat(ended.code()).as(ended.error()).isZero();
        long received = 0;
        Matcher lines = RECEIVED.matcher(ended.out());
        while (lines.find()) {
            long alerts = Long.parseLong(lines.group(1));
            assertThat(alerts).isBetween(1L, 20L);
            received += alerts;
        }
        assertThat(received).isEqualTo(expected);
    }
}
