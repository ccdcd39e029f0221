// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.flink.FlinkRunner;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Driver;
import io.thalweg.lab.thalweg.ThalwegDriver;
import io.thalweg.lab.thalweg.UserTopology;
import io.thalweg.run.RunSettings;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/** Runs cells on Flink: a MiniCluster in this JVM for each, or a cluster of two TaskManagers that stays up. */
public final class FlinkDriver implements Driver {
    private @Nullable Cluster cluster;

    @Override
    public String version() {
        return EnvironmentInformation.getVersion();
    }

    @Override
    public void run(Cell cell) throws Exception {
        if (cell.workload() == Cell.Workload.TOPOLOGY) {
            UserTopology.run(
                    cell,
                    (settings, code) -> FlinkRunner.inThisJvm(settings, code).with(KnownOptions.of(cell)));
            return;
        }
        if (cell.variant().equals("translated")) {
            translated(cell);
            return;
        }
        FlinkJob job = FlinkJob.of(cell);
        Configuration options = job.configuration();
        KnownOptions.of(cell).forEach(options::setString);
        if (cell.kills()) {
            killed(cell, job, options);
            return;
        }
        StreamExecutionEnvironment environment = cell.processes() == 1
                ? StreamExecutionEnvironment.createLocalEnvironment(widest(cell), options)
                : cluster().environment(options);
        job.describe(environment);
        await(environment.executeAsync("lab"), cell, null);
    }

    /** On a cluster of its own, whose TaskManager the lab kills. */
    private static void killed(Cell cell, FlinkJob job, Configuration options) throws Exception {
        try (Cluster own = Cluster.startWithOneWorker(widest(cell), KnownOptions.of(cell))) {
            cell.folder().setWorker(own.pidOfWorker());
            StreamExecutionEnvironment environment = own.environment(options);
            job.describe(environment);
            await(environment.executeAsync("lab"), cell, own);
        }
    }

    /** Thalweg's own topology, as {@code --on flink} runs it; of two processes, with its operators where those written by hand are. */
    private void translated(Cell cell) throws Exception {
        RunSettings settings = ThalwegDriver.guaranteed(cell, RunSettings.defaults());
        TopologyGraph graph = ThalwegDriver.graph(cell, false);
        FlinkRunner runner = cell.processes() == 1
                ? FlinkRunner.inThisJvm(settings)
                : cluster().runner(settings, graph, new Layout(cell));
        ThalwegDriver.await(runner.with(KnownOptions.of(cell)).start(graph), cell);
    }

    /**
     * Waits for the job's end. A source of the lab ends by itself when it is told to stop, Flink's Kafka source by a savepoint.
     *
     * @param replaced the cluster whose TaskManager is replaced when it has ended; null if it is not
     */
    private static void await(JobClient client, Cell cell, @Nullable Cluster replaced) throws Exception {
        CompletableFuture<?> result = client.getJobExecutionResult();
        boolean stopping = !cell.from().equals("kafka");
        while (true) {
            try {
                result.get(100, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                if (replaced != null) {
                    replaced.replaceEndedWorker();
                }
                if (!stopping && cell.folder().stopped()) {
                    stopping = true;
                    stop(client, cell);
                }
            }
        }
    }

    private static void stop(JobClient client, Cell cell) throws InterruptedException {
        try {
            client.stopWithSavepoint(false, cell.folder().path().toUri().toString(), SavepointFormatType.NATIVE)
                    .get();
        } catch (ExecutionException e) {
            // it had just ended by itself, or failed: its result says which
        }
    }

    private static int widest(Cell cell) {
        return Math.max(cell.sources(), Math.max(cell.relays(), cell.sinks()));
    }

    private Cluster cluster() throws IOException, InterruptedException {
        Cluster up = cluster;
        if (up == null || !up.isUp()) {
            close();
            up = Cluster.start();
            cluster = up;
        }
        return up;
    }

    @Override
    public void close() throws IOException {
        if (cluster != null) {
            cluster.close();
            cluster = null;
        }
    }
}
