// SPDX-License-Identifier: Apache-2.0
package io.thalweg.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.examples.Thalweg.Ended;
import io.thalweg.python.Packages;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The nearest city to each earthquake as numpy finds it, against what is computed here; and what is said without numpy. */
@Tag("integration")
final class NumpyEarthquakesTest {
    private static final Pattern AT = Pattern.compile("\"coordinates\":\\[(-?[0-9.]+),(-?[0-9.]+),");
    private static final Pattern CITY = Pattern.compile(" {4}\"([^\"]+)\": \\((-?[0-9.]+), (-?[0-9.]+)\\),");
    private static final String JOB = "numpy-earthquakes/NumpyEarthquakes.java";

    @TempDir
    private Path folder;

    @Test
    void shouldFindTheNearestCity() throws Exception {
        Path python = Packages.interpreter(Packages.withNumpy());
        Path out = folder.resolve("nearest.csv");

        Ended ended = new Thalweg(folder)
                .command(
                        "run",
                        Thalweg.job(JOB).toString(),
                        "--quiet",
                        "--set",
                        "python=" + python,
                        "--set",
                        "out=" + out);

        assertThat(ended.code()).as(ended.error()).isZero();
        assertThat(ended.out()).contains("Earthquakes by the nearest city");
        List<String> found = Files.readAllLines(out).stream()
                .skip(1)
                .map(line -> line.split(","))
                .map(fields -> fields[0] + " " + fields[1])
                .toList();
        assertThat(found).hasSizeGreaterThan(1_500).containsExactlyInAnyOrderElementsOf(expected());
    }

    private static List<String> expected() throws Exception {
        Map<String, double[]> cities = new TreeMap<>();
        for (String line : Files.readAllLines(Thalweg.job("numpy-earthquakes/nearest.py"))) {
            Matcher city = CITY.matcher(line);
            if (city.matches()) {
                cities.put(
                        city.group(1),
                        new double[] {Double.parseDouble(city.group(2)), Double.parseDouble(city.group(3))});
            }
        }
        assertThat(cities).hasSize(10);
        List<String> expected = new ArrayList<>();
        for (String line : Files.readAllLines(Thalweg.job("earthquakes/earthquakes.jsonl"))) {
            Matcher at = AT.matcher(line);
            assertThat(at.find()).isTrue();
            double longitude = Double.parseDouble(at.group(1));
            double latitude = Double.parseDouble(at.group(2));
            Map<Double, String> byDistance = new TreeMap<>();
            cities.forEach((city, where) -> byDistance.put(km(longitude, latitude, where[0], where[1]), city));
            Map.Entry<Double, String> nearest = byDistance.entrySet().iterator().next();
            expected.add(nearest.getValue() + " " + String.format(Locale.ROOT, "%.1f", nearest.getKey()));
        }
        return expected;
    }

    /** By the angle between two vectors, which is another way than that of the example. */
    private static double km(double longitudeA, double latitudeA, double longitudeB, double latitudeB) {
        double[] a = vector(longitudeA, latitudeA);
        double[] b = vector(longitudeB, latitudeB);
        double x = a[1] * b[2] - a[2] * b[1];
        double y = a[2] * b[0] - a[0] * b[2];
        double z = a[0] * b[1] - a[1] * b[0];
        return 6371 * Math.atan2(Math.sqrt(x * x + y * y + z * z), a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
    }

    private static double[] vector(double longitude, double latitude) {
        double east = Math.toRadians(longitude);
        double north = Math.toRadians(latitude);
        return new double[] {Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)};
    }

    /** Without the folder of installed packages, Python has no numpy, whatever is installed. */
    @Test
    void shouldSayInOneLineHowToInstallNumpy_whereThereIsNone() throws Exception {
        Path python = Files.writeString(folder.resolve("python"), "#!/bin/sh\nexec python3 -S \"$@\"\n");
        assertThat(python.toFile().setExecutable(true)).isTrue();

        Ended ended =
                new Thalweg(folder).command("run", Thalweg.job(JOB).toString(), "--quiet", "--set", "python=" + python);

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.error().strip().lines())
                .singleElement()
                .asString()
                .contains("operator 'nearest'", "No module named 'numpy'")
                .containsPattern("install it with \\S*python\\S* -m pip install numpy, or name");
    }
}
