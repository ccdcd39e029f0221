// SPDX-License-Identifier: Apache-2.0
package org.apache.storm;

import io.thalweg.run.JobFailedException;
import io.thalweg.stormlocal.StandIn;
import io.thalweg.stormlocal.Submissions;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
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
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for Storm's LocalCluster: its topologies run in this JVM, at once, without Nimbus, ZooKeeper or supervisors. It has Storm's
 * name, and Storm's methods, with the types that they return there, so that tests and mains need not be changed or compiled again: put
 * {@code thalweg-storm-local} on the class path in place of {@code storm-server}.
 *
 * <p>A topology that fails ends; the failure is logged, and {@link #close} throws it. What this cannot do, such as simulate time, is refused
 * by name. Thread-safe.
 */
public class LocalCluster implements ILocalCluster {
    /** What Storm's tells its daemons, and so topologies find: in local mode a tuple must have as many values as its stream has fields. */
    private static final Map<String, Object> OF_STORMS = Map.of(
            Config.STORM_CLUSTER_MODE,
            "local",
            Config.TOPOLOGY_SKIP_MISSING_KRYO_REGISTRATIONS,
            true,
            Config.TOPOLOGY_TRIDENT_BATCH_EMIT_INTERVAL_MILLIS,
            50);

    private final Submissions submissions = Submissions.ofCluster();
    private final List<Submissions.Submitted> submitted = new CopyOnWriteArrayList<>();
    private final Map<String, Object> daemonConf;
    private volatile boolean closed;

    /** An empty one, where tuples time out. */
    public LocalCluster() {
        this(Map.of(Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS, true));
    }

    /** The same: there is no ZooKeeper. */
    public LocalCluster(String zooKeeperHost, Long zooKeeperPort) {
        this();
    }

    private LocalCluster(Map<String, Object> given) {
        daemonConf = Utils.merge(OF_STORMS, given);
        submissions.open(this, daemonConf);
    }

    /** Calls what submits topologies, lets them run for so many seconds, and ends them. */
    public static <T> T withLocalModeOverride(Callable<T> submits, long seconds) throws Exception {
        return withLocalModeOverride(submits, seconds, Map.of());
    }

    /** The same, in a cluster whose daemons are told this; null for nothing. */
    public static <T> T withLocalModeOverride(
            Callable<T> submits, long seconds, @Nullable Map<String, Object> daemonConf) throws Exception {
        LocalCluster cluster = new Builder().withDaemonConf(daemonConf).build();
        // Of a main that runs in this process, it is there already.
        NimbusClient.LocalOverride here =
                cluster.submissions.isOfMain() ? null : new NimbusClient.LocalOverride(StandIn.of(cluster.submissions));
        List<Submissions.Submitted> before = cluster.submissions.all();
        try {
            T result = submits.call();
            new CountDownLatch(1).await(seconds, TimeUnit.SECONDS);
            return result;
        } finally {
            if (here != null) {
                here.close();
            }
            cluster.submitted.addAll(cluster.submissions.all());
            cluster.submitted.removeAll(before);
            cluster.close();
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

    /**
     * Builds one. What its daemons are told, topologies find below their own conf, and in one that is not told
     * {@code topology.enable.message.timeouts} no tuple times out, as with Storm. Nothing else makes a difference here, or it is refused.
     */
    public static class Builder {
        private Map<String, Object> daemonConf = new HashMap<>();

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

        /** In place of what it was told before; null changes nothing. */
        public Builder withDaemonConf(@Nullable Map<String, Object> conf) {
            daemonConf = conf == null ? daemonConf : new HashMap<>(conf);
            return this;
        }

        /** One more. */
        public Builder withDaemonConf(String key, Object value) {
            daemonConf.put(key, value);
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
            Map<String, Object> all = new HashMap<>();
            all.put(Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS, false);
            all.putAll(daemonConf);
            return new LocalCluster(all);
        }
    }

    @Override
    public LocalTopology submitTopology(String name, Map<String, Object> conf, StormTopology topology)
            throws TException {
        return submit(name, conf, topology, null);
    }

    /** What {@code submitTopology} was for mains that were compiled for Storm 1, which are led here when they are loaded. */
    public void submitTopologyOfStorm1(String name, Map<String, Object> conf, StormTopology topology)
            throws TException {
        submitTopology(name, conf, topology);
    }

    @Override
    public LocalTopology submitTopologyWithOpts(
            String name, Map<String, Object> conf, StormTopology topology, SubmitOptions options) throws TException {
        return submit(name, conf, topology, options);
    }

    private LocalTopology submit(
            String name, Map<String, Object> conf, StormTopology topology, @Nullable SubmitOptions options)
            throws TException {
        checkNotClosed(name);
        checkConf(name, conf);
        Submissions.Submitted made = submissions.submit(name, Utils.merge(daemonConf, conf), topology, options);
        submitted.add(made);
        if (closed) { // by another thread, which may not have seen it
            made.kill(Duration.ZERO);
            checkNotClosed(name);
        }
        return new LocalTopology(name, topology);
    }

    /** As Storm does, which sends it to workers: there a value that is no JSON would not arrive. */
    private static void checkConf(String topology, Map<String, Object> conf) {
        conf.forEach((option, value) -> {
            if (!Utils.isValidConf(Collections.singletonMap(option, value))) {
                throw new IllegalArgumentException(
                        "topology '" + topology + "': the value of '" + option
                                + "' in its conf is not JSON, and Storm refuses it; pass it to a spout or bolt when it is made");
            }
        });
    }

    private void checkNotClosed(String topology) {
        if (closed) {
            throw new IllegalStateException(
                    "topology '" + topology + "' is submitted to a LocalCluster that is closed; make another one");
        }
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
        submissions.activate(name);
    }

    @Override
    public void deactivate(String name) throws TException {
        submissions.deactivate(name);
    }

    @Override
    @Deprecated
    @SuppressWarnings("InlineMeSuggester") // Storm's test classes call it as it is
    public void shutdown() {
        close();
    }

    /**
     * Ends its topologies, and takes no others. A thread that is interrupted does not wait until they have ended.
     *
     * @throws JobFailedException if one has failed, and nobody else tells of it; the others have ended then
     */
    @Override
    public void close() {
        closed = true;
        submissions.close(this);
        submitted.forEach(each -> each.kill(Duration.ZERO));
        JobFailedException first = null;
        for (Submissions.Submitted each : submitted) {
            try {
                JobFailedException failure = each.end();
                first = first == null ? failure : first;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        if (first != null && !submissions.isOfMain()) {
            throw first;
        }
    }

    /**
     * Ends a topology, and waits until it has.
     *
     * @throws JobFailedException if it has failed
     */
    void end(String name) throws InterruptedException {
        List<Submissions.Submitted> named =
                submitted.stream().filter(each -> each.name().equals(name)).toList();
        for (Submissions.Submitted each : named) {
            JobFailedException failure = each.end();
            if (failure != null) {
                submitted.remove(each); // so that close does not throw it again
                throw failure;
            }
        }
    }

    static UnsupportedOperationException missing(String what) {
        return new UnsupportedOperationException("this LocalCluster, which is Thalweg's, cannot " + what
                + "; it takes topologies, tells what they do, and kills, activates and deactivates them");
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
    public String getTopologyConf(String id) throws TException {
        return StandIn.of(submissions).getTopologyConf(id);
    }

    @Override
    public StormTopology getTopology(String id) throws TException {
        return StandIn.of(submissions).getTopology(id);
    }

    @Override
    public ClusterSummary getClusterInfo() throws TException {
        return StandIn.of(submissions).getClusterInfo();
    }

    @Override
    public List<TopologySummary> getTopologySummaries() throws TException {
        return StandIn.of(submissions).getTopologySummaries();
    }

    @Override
    public TopologySummary getTopologySummaryByName(String name) throws TException {
        return StandIn.of(submissions).getTopologySummaryByName(name);
    }

    @Override
    public TopologySummary getTopologySummary(String id) throws TException {
        return StandIn.of(submissions).getTopologySummary(id);
    }

    @Override
    public TopologyInfo getTopologyInfo(String id) throws TException {
        return StandIn.of(submissions).getTopologyInfo(id);
    }

    @Override
    public TopologyInfo getTopologyInfoByName(String name) throws TException {
        return StandIn.of(submissions).getTopologyInfoByName(name);
    }

    @Override
    public TopologyInfo getTopologyInfoWithOpts(String id, GetInfoOptions options) throws TException {
        return StandIn.of(submissions).getTopologyInfoWithOpts(id, options);
    }

    @Override
    public TopologyInfo getTopologyInfoByNameWithOpts(String name, GetInfoOptions options) throws TException {
        return StandIn.of(submissions).getTopologyInfoByNameWithOpts(name, options);
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
