// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.LocalCluster;
import org.apache.storm.ProcessSimulator;
import org.apache.storm.generated.StormTopology;

/** Storm's LocalCluster: everything in this JVM. */
final class InProcess implements Cluster {
    private static final Duration STOP = Duration.ofSeconds(30);

    private final ZooKeeper zooKeeper;
    private final LocalCluster cluster;

    InProcess(Path folder) throws Exception {
        zooKeeper = new ZooKeeper(folder.resolve("zookeeper"));
        Map<String, Object> settings = new HashMap<>(zooKeeper.settings());
        settings.put(Config.STORM_LOCAL_HOSTNAME, "127.0.0.1");
        settings.put(Config.TASK_REFRESH_POLL_SECS, 1);
        settings.put(DaemonConfig.SUPERVISOR_MONITOR_FREQUENCY_SECS, 1);
        settings.put(Config.SUPERVISOR_WORKER_SHUTDOWN_SLEEP_SECS, 0);
        settings.put(DaemonConfig.STORM_DAEMON_METRICS_REPORTER_PLUGINS, List.of());
        cluster = new LocalCluster.Builder()
                .withSupervisors(1)
                .withPortsPerSupervisor(4)
                .withDaemonConf(settings)
                .build();
    }

    @Override
    public void submit(String name, Config config, StormTopology topology) throws Exception {
        cluster.submitTopology(name, config, topology);
    }

    /** Ends a topology, and waits until its worker has ended: it would go on to commit to Kafka, say, and halt this JVM if it cannot. */
    @Override
    public void kill(String name) throws Exception {
        cluster.killTopologyWithOpts(name, LocalCluster.KILL_NOW);
        long deadline = System.nanoTime() + STOP.toNanos();
        while (!ProcessSimulator.getAllProcessHandles().isEmpty()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("Storm's worker did not end in " + STOP.toSeconds() + " s");
            }
            Thread.sleep(50);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            cluster.close();
        } catch (Exception e) {
            throw new IOException("Storm's LocalCluster does not stop", e);
        } finally {
            zooKeeper.close();
        }
    }
}
