// SPDX-License-Identifier: Apache-2.0
package org.apache.storm;

import io.thalweg.cli.storm.Submissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.storm.cluster.IStormClusterState;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.Credentials;
import org.apache.storm.generated.GetInfoOptions;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.thrift.TException;

/**
 * What a main finds that wants a LocalCluster: the topologies of this process. It has Storm's name, and Storm's methods, with the types
 * that they return there: a main that was compiled with Storm's names them.
 */
public class LocalCluster implements ILocalCluster {
    private final Submissions submissions = Submissions.current();
    private final List<Submissions.Submitted> submitted = new CopyOnWriteArrayList<>();

    /** An empty one. */
    public LocalCluster() {}

    /** The same: there is no ZooKeeper. */
    public LocalCluster(String zooKeeperHost, Long zooKeeperPort) {}

    /** Calls what submits topologies, lets them run for so many seconds, and ends them. */
    public static <T> T withLocalModeOverride(Callable<T> submits, long seconds) throws Exception {
        return withLocalModeOverride(submits, seconds, Map.of());
    }

    /** The same: there are no daemons. */
    public static <T> T withLocalModeOverride(Callable<T> submits, long seconds, Map<String, Object> daemonConf)
            throws Exception {
        try (LocalCluster cluster = new LocalCluster()) {
            List<Submissions.Submitted> before = cluster.submissions.all();
            T result = submits.call();
            new CountDownLatch(1).await(seconds, TimeUnit.SECONDS);
            cluster.submitted.addAll(cluster.submissions.all());
            cluster.submitted.removeAll(before);
            return result;
        }
    }

    /** A topology of this cluster, which ends when it is closed. */
    @SuppressWarnings("serial") // as Storm's, it is not sent anywhere
    public class LocalTopology extends StormTopology implements ILocalTopology {
        private static final long serialVersionUID = 1L;
        private final String name;

        /** As Storm has it. */
        public LocalTopology(String name, StormTopology topology) {
            super(topology);
            this.name = name;
        }

        @Override
        public void close() throws TException {
            KillOptions now = new KillOptions();
            now.set_wait_secs(0);
            killTopologyWithOpts(name, now);
        }
    }

    /** Builds one. Of what it is told, nothing makes a difference to topologies here; what would is refused. */
    public static class Builder {
        /** There are no supervisors. */
        public Builder withSupervisors(int supervisors) {
            return this;
        }

        /** There are no supervisors. */
        public Builder withPortsPerSupervisor(int ports) {
            return this;
        }

        /** There are no supervisors. */
        public Builder withSupervisorSlotPortMin(Number port) {
            return this;
        }

        /** There are no daemons. */
        public Builder withDaemonConf(Map<String, Object> conf) {
            return this;
        }

        /** There are no daemons. */
        public Builder withDaemonConf(String key, Object value) {
            return this;
        }

        /** There are no daemons. */
        public Builder withNimbusDaemon() {
            return this;
        }

        /** There are no daemons. */
        public Builder withNimbusDaemon(Boolean wanted) {
            return this;
        }

        /** Refused. */
        public Builder withSimulatedTime() {
            throw missing("simulate time");
        }

        /** Refused if it is wanted. */
        public Builder withSimulatedTime(boolean wanted) {
            if (wanted) {
                throw missing("simulate time");
            }
            return this;
        }

        /** Refused. */
        public Builder withTracked() {
            throw missing("track tuples");
        }

        /** Refused. */
        public Builder withTracked(String id) {
            throw missing("track tuples");
        }

        /** Builds it. */
        public LocalCluster build() throws Exception {
            return new LocalCluster();
        }
    }

    @Override
    public LocalTopology submitTopology(String name, Map<String, Object> conf, StormTopology topology)
            throws TException {
        submitted.add(submissions.submit(name, conf, topology));
        return new LocalTopology(name, topology);
    }

    /** What {@code submitTopology} was for mains that were compiled for Storm 1, which are led here when they are loaded. */
    public void submitTopologyOfStorm1(String name, Map<String, Object> conf, StormTopology topology)
            throws TException {
        submitTopology(name, conf, topology);
    }

    @Override
    public LocalTopology submitTopologyWithOpts(
            String name, Map<String, Object> conf, StormTopology topology, SubmitOptions options) throws TException {
        return submitTopology(name, conf, topology);
    }

    @Override
    public void killTopology(String name) throws TException {
        submissions.kill(name, null);
    }

    @Override
    public void killTopologyWithOpts(String name, KillOptions options) throws TException {
        submissions.kill(name, options);
    }

    @Override
    public void activate(String name) throws TException {
        submissions.run(name).activate();
    }

    @Override
    public void deactivate(String name) throws TException {
        submissions.run(name).deactivate();
    }

    @Override
    @Deprecated
    public void shutdown() {
        for (Submissions.Submitted each : submitted) {
            try {
                each.end();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    @Override
    public void close() {
        shutdown();
    }

    private static UnsupportedOperationException missing(String what) {
        return new UnsupportedOperationException("there is no LocalCluster here that could " + what
                + "; thalweg storm run takes topologies, and kills, activates and deactivates them");
    }

    @Override
    public void uploadNewCredentials(String name, Credentials credentials) {
        throw missing("take credentials");
    }

    @Override
    public void rebalance(String name, RebalanceOptions options) {
        throw missing("rebalance topologies");
    }

    @Override
    public String getTopologyConf(String id) {
        throw missing("tell of topologies");
    }

    @Override
    public StormTopology getTopology(String id) {
        throw missing("tell of topologies");
    }

    @Override
    public ClusterSummary getClusterInfo() {
        throw missing("tell of its nodes");
    }

    @Override
    public List<TopologySummary> getTopologySummaries() {
        throw missing("tell of topologies");
    }

    @Override
    public TopologySummary getTopologySummaryByName(String name) {
        throw missing("tell of topologies");
    }

    @Override
    public TopologySummary getTopologySummary(String id) {
        throw missing("tell of topologies");
    }

    @Override
    public TopologyInfo getTopologyInfo(String id) {
        throw missing("tell of topologies");
    }

    @Override
    public TopologyInfo getTopologyInfoByName(String name) {
        throw missing("tell of topologies");
    }

    @Override
    public TopologyInfo getTopologyInfoWithOpts(String id, GetInfoOptions options) {
        throw missing("tell of topologies");
    }

    @Override
    public TopologyInfo getTopologyInfoByNameWithOpts(String name, GetInfoOptions options) {
        throw missing("tell of topologies");
    }

    @Override
    public IStormClusterState getClusterState() {
        throw missing("tell its state");
    }

    @Override
    public void advanceClusterTime(int secs) {
        throw missing("simulate time");
    }

    @Override
    public void advanceClusterTime(int secs, int step) {
        throw missing("simulate time");
    }

    @Override
    public String getTrackedId() {
        throw missing("track tuples");
    }
}
