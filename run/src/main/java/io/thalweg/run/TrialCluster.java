// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import java.io.IOException;
import java.nio.file.Path;

/** A real cluster on this machine, for trying; found by {@link java.util.ServiceLoader} under its name. */
public interface TrialCluster {
    /** {@code flink}, as in {@code thalweg flink start}. */
    String name();

    /**
     * Starts its processes, which outlive this JVM, and waits until it takes jobs. All of it listens on the loopback alone.
     *
     * @param folder for configuration, logs and what {@link #stop} needs; made if it is not there
     * @param workers processes that run tasks
     * @return what a person wants to know of it: where it is, how to run a job there
     * @throws io.thalweg.api.connector.ConnectorException if it runs already, or does not come up
     */
    String start(Path folder, int workers) throws IOException, InterruptedException;

    /** Ends the processes that were started with this folder; false if none runs. */
    boolean stop(Path folder) throws IOException, InterruptedException;
}
