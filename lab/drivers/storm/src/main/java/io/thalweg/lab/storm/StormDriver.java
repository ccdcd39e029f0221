// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Driver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.VersionInfo;
import org.jspecify.annotations.Nullable;

/** Runs cells on Apache Storm. Its topologies do not end by themselves: one is killed when all its records came out. */
public final class StormDriver implements Driver {
    private static final Duration LONGEST_START = Duration.ofMinutes(3);

    /** Longer than any run; the lab itself looks after runs that hang. */
    private static final Duration LONGEST_RUN = Duration.ofHours(3);

    private final Tuning tuning = Tuning.read();
    private final Path folder;
    private @Nullable Cluster cluster;
    private int processes;
    private int runs;

    public StormDriver() throws IOException {
        folder = Files.createTempDirectory("lab-storm");
    }

    @Override
    public String version() {
        return VersionInfo.getVersion();
    }

    @Override
    public void run(Cell cell) throws Exception {
        StormTopology topology = Topologies.of(cell, folder);
        Config config = Topologies.config(cell, tuning.of(cell.variant()));
        Cluster at = cluster(cell.processes());
        String name = "run-" + ++runs;
        at.submit(name, config, topology);
        try {
            // A topology that is killed while its worker is being prepared takes the whole JVM with it.
            cell.folder().awaitStarted(LONGEST_START);
            cell.folder().awaitDrained(cell.records(), LONGEST_RUN);
        } finally {
            at.kill(name);
        }
    }

    /** Only one of them is up at a time: a LocalCluster takes all that is submitted in its JVM for itself. */
    private Cluster cluster(int forProcesses) throws Exception {
        if (cluster != null && processes == forProcesses) {
            return cluster;
        }
        close();
        Path place = Files.createTempDirectory(folder, "cluster");
        Cluster started = forProcesses == 1 ? new InProcess(place) : new RealCluster(place);
        cluster = started;
        processes = forProcesses;
        return started;
    }

    @Override
    public void close() throws IOException {
        if (cluster != null) {
            cluster.close();
            cluster = null;
        }
    }
}
