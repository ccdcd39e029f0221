// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * What a run of a user's own topology came to, from its start to its end.
 *
 * @param elapsedS from when the engine is told to start the job until it says that it has ended
 * @param cpuS of the engine's JVM in this time
 * @param outputs what came to each sink; empty if sinks wrote it themselves
 */
public record JobFigures(double elapsedS, double cpuS, List<Output> outputs) {
    private static final String FILE = "job.properties";

    /**
     * What came to one sink.
     *
     * @param digest of the records, whatever their order
     */
    public record Output(String name, long records, String digest) {}

    /** Leaves them in a run's folder. */
    public void write(RunFolder folder) throws IOException {
        Properties lines = new Properties();
        lines.setProperty("elapsed-s", Double.toString(elapsedS));
        lines.setProperty("cpu-s", Double.toString(cpuS));
        lines.setProperty("outputs", Integer.toString(outputs.size()));
        for (int i = 0; i < outputs.size(); i++) {
            Output each = outputs.get(i);
            lines.setProperty("name." + i, each.name());
            lines.setProperty("records." + i, Long.toString(each.records()));
            lines.setProperty("digest." + i, each.digest());
        }
        try (Writer writer = Files.newBufferedWriter(folder.path().resolve(FILE))) {
            lines.store(writer, null);
        }
    }

    /** What a run left; null if it left nothing, because it did not end or was of another workload. */
    public static @Nullable JobFigures read(RunFolder folder) throws IOException {
        Path file = folder.path().resolve(FILE);
        if (!Files.exists(file)) {
            return null;
        }
        Properties lines = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            lines.load(reader);
        }
        List<Output> outputs = new ArrayList<>();
        int count = Integer.parseInt(lines.getProperty("outputs"));
        for (int i = 0; i < count; i++) {
            outputs.add(new Output(
                    lines.getProperty("name." + i),
                    Long.parseLong(lines.getProperty("records." + i)),
                    lines.getProperty("digest." + i)));
        }
        return new JobFigures(
                Double.parseDouble(lines.getProperty("elapsed-s")),
                Double.parseDouble(lines.getProperty("cpu-s")),
                outputs);
    }
}
