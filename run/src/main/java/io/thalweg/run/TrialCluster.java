// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import java.io.IOException;
import java.nio.file.Path;

/** A real cluster on this machine, for trials; found by {@link java.util.ServiceLoader} under its name. */
public interface TrialCluster {
    /** The name: {@code flink}, as in {@code thalweg flink start}. */
    String name();

    /**
     * Starts the cluster's processes, which outlive this JVM, and waits until it accepts jobs. All of them listen on
     * the loopback interface only.
     *
     * @param folder for configuration, logs and what {@link #stop} needs; created if it does not exist
     * @param workers number of processes that run tasks
     * @return where the cluster is and how to run a job there, for people
     * @throws io.thalweg.api.connector.ConnectorException if it is running already, or does not start
     */
    String start(Path folder, int workers) throws IOException, InterruptedException;

    /**
     * Stops the processes that were started with this folder.
     *
     * @return false if none is running
     */
    boolean stop(Path folder) throws IOException, InterruptedException;
}
