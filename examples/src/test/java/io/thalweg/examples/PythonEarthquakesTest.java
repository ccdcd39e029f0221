// SPDX-License-Identifier: Apache-2.0
package io.thalweg.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.examples.Thalweg.Ended;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Earthquakes scored in Python, against the same scores computed here. */
@Tag("integration")
final class PythonEarthquakesTest {
    private static final Pattern QUAKE =
            Pattern.compile("\"mag\":(-?[0-9.]+),\"place\":.*\"coordinates\":\\[[^,]*,[^,]*,(-?[0-9.]+)\\]");

    @TempDir
    private Path folder;

    @Test
    void shouldScoreEachEarthquake() throws Exception {
        List<Double> expected = new ArrayList<>();
        for (String line : Files.readAllLines(Thalweg.job("earthquakes/earthquakes.jsonl"))) {
            Matcher quake = QUAKE.matcher(line);
            if (quake.find()) {
                expected.add(score(Double.parseDouble(quake.group(1)), Double.parseDouble(quake.group(2))));
            }
        }
        assertThat(expected).hasSizeGreaterThan(1_500);
        Path out = folder.resolve("scores.csv");

        Ended ended = new Thalweg(folder)
                .command(
                        "run",
                        Thalweg.job("python-earthquakes/PythonEarthquakes.java").toString(),
                        "--quiet",
                        "--set",
                        "out=" + out);

        assertThat(ended.code()).as(ended.error()).isZero();
        assertThat(ended.out()).contains("Earthquakes by level", "The five highest scores");
        List<Double> scores = Files.readAllLines(out).stream()
                .skip(1)
                .map(line -> line.split(","))
                .map(fields -> Double.parseDouble(fields[fields.length - 2]))
                .toList();
        assertThat(scores)
                .usingElementComparator((a, b) -> Math.abs(a - b) < 0.002 ? 0 : Double.compare(a, b))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    private static double score(double mag, double depth) {
        double distance = Math.max(depth, 0) + 0.0056 * Math.exp(0.9 * mag);
        return Math.pow(10, 0.5 * mag) / (distance + 1);
    }
}
