// SPDX-License-Identifier: Apache-2.0
package org.apache.storm;

import io.thalweg.cli.storm.Submissions;
import java.util.List;
import java.util.Map;
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

/** What a main finds that wants a LocalCluster: the topologies of this process. It has Storm's name, and Storm's methods. */
public final class LocalCluster implements ILocalCluster {
    private final Submissions submissions = Submissions.current();
    private final java.util.Set<String> names = new java.util.LinkedHashSet<>();

    @Override
    public ILocalTopology submitTopology(String name, Map<String, Object> conf, StormTopology topology)
            throws TException {
        submissions.submit(name, conf, topology);
        names.add(name);
        return () -> killTopology(name);
    }

    @Override
    public ILocalTopology submitTopologyWithOpts(
            String name, Map<String, Object> conf, StormTopology topology, SubmitOptions options) throws TException {
        return submitTopology(name, conf, topology);
    }

    @Override
    public void killTopology(String name) throws TException {
        submissions.kill(name, 0);
    }

    @Override
    public void killTopologyWithOpts(String name, KillOptions options) throws TException {
        submissions.kill(name, options.is_set_wait_secs() ? options.get_wait_secs() : 0);
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
        for (String name : names) {
            try {
                submissions.kill(name, 0);
            } catch (TException e) {
                throw new IllegalStateException(e);
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
