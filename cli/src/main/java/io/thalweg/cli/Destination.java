// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.job.LoadedJob;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.run.RunnerProvider;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Where {@code --on} leads: a road by name, which the launcher has put on the class path.
 *
 * @param address of a cluster; null for one within this process
 */
record Destination(String road, @Nullable String address) {
    private static final String EMBEDDED = "embedded";
    private static final List<String> ROADS = List.of(EMBEDDED, "flink", "storm");

    /** @throws UsageException if there is no such road */
    static Destination of(String text) {
        String[] parts = text.split("=", 2);
        if (!ROADS.contains(parts[0]) || (parts[0].equals(EMBEDDED) && parts.length > 1)) {
            throw new UsageException("--on is embedded, flink, flink=HOST:PORT, storm or storm=HOST:PORT, not " + text);
        }
        return new Destination(parts[0], parts.length > 1 ? parts[1] : null);
    }

    boolean embedded() {
        return road.equals(EMBEDDED);
    }

    /** @throws UsageException if the road is not there, or the address cannot be one */
    Runner runner(RunSettings settings, LoadedJob job) {
        if (embedded()) {
            return new EmbeddedRunner(settings);
        }
        for (RunnerProvider provider :
                ServiceLoader.load(RunnerProvider.class, getClass().getClassLoader())) {
            if (provider.name().equals(road)) {
                try {
                    return provider.runner(settings, address, job.jars());
                } catch (IllegalArgumentException e) {
                    throw new UsageException("--on " + road + ": " + e.getMessage());
                }
            }
        }
        throw new UsageException("--on " + road + " needs thalweg-" + road
                + " and its dependencies on the class path; ./thalweg adds them");
    }
}
