// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.topics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.Histogram;

/** What a {@link LatencyProbe} has measured, in a file of its run's folder. */
record Latencies(double p50Ms, double p99Ms, double p999Ms, double maxMs) {
    private static final String FILE = "latencies.txt";

    static Latencies of(Histogram histogram) {
        return new Latencies(
                histogram.getValueAtPercentile(50) / 1e6,
                histogram.getValueAtPercentile(99) / 1e6,
                histogram.getValueAtPercentile(99.9) / 1e6,
                histogram.getMaxValue() / 1e6);
    }

    void write(Path folder) throws IOException {
        Files.writeString(folder.resolve(FILE), p50Ms + "\n" + p99Ms + "\n" + p999Ms + "\n" + maxMs + "\n");
    }

    static Latencies in(Path folder) throws IOException {
        List<Double> values = Files.readAllLines(folder.resolve(FILE)).stream()
                .map(Double::valueOf)
                .toList();
        return new Latencies(values.get(0), values.get(1), values.get(2), values.get(3));
    }
}
