// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.LocalCluster;
import org.apache.storm.daemon.supervisor.Supervisor;
import org.apache.storm.generated.StormTopology;

/** Storm's LocalCluster: everything in this JVM. */
final class InProcess implements Cluster {
    private final ZooKeeper zooKeeper;
    private final LocalCluster cluster;
    private final Supervisor supervisor;

    InProcess(Path folder) throws Exception {
        zooKeeper = new ZooKeeper(folder.resolve("zookeeper"));
        Map<String, Object> settings = new HashMap<>(zooKeeper.settings());
        settings.put(Config.STORM_LOCAL_HOSTNAME, "127.0.0.1");
        settings.put(DaemonConfig.SUPERVISOR_MONITOR_FREQUENCY_SECS, 1);
        settings.put(Config.SUPERVISOR_WORKER_SHUTDOWN_SLEEP_SECS, 0);
        settings.put(DaemonConfig.STORM_DAEMON_METRICS_REPORTER_PLUGINS, List.of());
        cluster = new LocalCluster.Builder()
                .withSupervisors(0)
                .withDaemonConf(settings)
                .build();
        supervisor = cluster.addSupervisor(1);
    }

    @Override
    public void submit(String name, Config config, StormTopology topology) throws Exception {
        cluster.submitTopology(name, config, topology);
    }

    /**
     * Ends the worker first, and only then the topology: a worker that outlives its topology halts this JVM when it asks for its
     * assignment, or commits to a Kafka broker that is gone.
     */
    @Override
    public void kill(String name) throws Exception {
        supervisor.shutdownAllWorkers(null, null);
        cluster.killTopologyWithOpts(name, LocalCluster.KILL_NOW);
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
