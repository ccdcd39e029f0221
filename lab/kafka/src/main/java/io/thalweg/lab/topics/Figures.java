// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.topics;

import io.thalweg.lab.driver.RunFolder;
import io.thalweg.lab.driver.Sample;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * What one run of a client came to.
 *
 * @param records that it read or wrote
 * @param sum over them, where it is known what it must be; otherwise 0
 * @param ns its own interval: of a tool, what it prints; of a job, from its start until it has ended
 * @param steadyNs from the first record to the last; of what does not say, the same as {@code ns}
 */
record Figures(long records, long sum, long ns, long steadyNs) {
    private static final String FILE = "figures.properties";

    double perSecond() {
        return records * 1e9 / ns;
    }

    double steadyPerSecond() {
        return records * 1e9 / steadyNs;
    }

    void write(Path folder) throws IOException {
        Properties properties = new Properties();
        properties.setProperty("records", Long.toString(records));
        properties.setProperty("sum", Long.toString(sum));
        properties.setProperty("ns", Long.toString(ns));
        properties.setProperty("steadyNs", Long.toString(steadyNs));
        try (Writer writer = Files.newBufferedWriter(folder.resolve(FILE))) {
            properties.store(writer, null);
        }
    }

    /** Of a run that has ended: what a client of this module wrote, or else what the meters of a driver of the lab did. */
    static Figures of(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            return metered(folder);
        }
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        }
        return new Figures(
                Long.parseLong(properties.getProperty("records")),
                Long.parseLong(properties.getProperty("sum")),
                Long.parseLong(properties.getProperty("ns")),
                Long.parseLong(properties.getProperty("steadyNs")));
    }

    private static Figures metered(Path folder) throws IOException {
        List<Sample> samples = new ArrayList<>();
        for (Path file : new RunFolder(folder).files(RunFolder.SAMPLES)) {
            samples.addAll(RunFolder.samples(file));
        }
        return metered(samples);
    }

    /**
     * From the first sample in which something had come out until the last in which not yet all had. A sample comes each tenth of a
     * second, so nobody knows how long before the next one the last record came, and that time is no part of the interval.
     */
    static Figures metered(List<Sample> samples) throws IOException {
        List<Sample> some =
                samples.stream().filter(sample -> sample.received() > 0).toList();
        if (some.isEmpty()) {
            throw new IOException("nothing came out");
        }
        Sample first = some.get(0);
        Sample all = some.get(some.size() - 1);
        Sample last = first;
        for (Sample sample : some) {
            last = sample.received() < all.received() ? sample : last;
        }
        if (last.received() <= first.received()) {
            throw new IOException(
                    "all " + all.received() + " records came out too soon to be timed; take more --records");
        }
        // The records of the first sample came before it, so they are no part of the interval.
        double share = (double) (last.received() - first.received()) / all.received();
        long ns = (long) ((last.timeNs() - first.timeNs()) / share);
        return new Figures(all.received(), all.sumReceived(), ns, ns);
    }
}
