// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.IScheduler;
import org.apache.storm.scheduler.Topologies;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.scheduler.WorkerSlot;

/**
 * Puts sources, sinks and ackers into one worker and everything between into the other, so that every hop from a source and
 * every hop to a sink crosses. Nimbus makes it by its name.
 */
public final class TwoWorkers implements IScheduler {
    @Override
    public void prepare(Map<String, Object> conf, StormMetricsRegistry metricsRegistry) {
        // has no settings
    }

    @Override
    public void schedule(Topologies topologies, Cluster cluster) {
        for (TopologyDetails topology : cluster.needsSchedulingTopologies()) {
            List<WorkerSlot> slots = cluster.getAvailableSlots();
            if (slots.size() < 2) {
                return; // until a worker that ends has given its slot back
            }
            List<ExecutorDetails> ends = new ArrayList<>();
            List<ExecutorDetails> middle = new ArrayList<>();
            cluster.getNeedsSchedulingExecutorToComponents(topology)
                    .forEach((executor, component) -> (atAnEnd(component) ? ends : middle).add(executor));
            assign(cluster, topology, slots.get(0), ends);
            assign(cluster, topology, slots.get(1), middle);
        }
    }

    private static boolean atAnEnd(String component) {
        return component.equals(io.thalweg.lab.storm.Topologies.SOURCE)
                || component.equals(io.thalweg.lab.storm.Topologies.SINK)
                || component.startsWith("__");
    }

    private static void assign(
            Cluster cluster, TopologyDetails topology, WorkerSlot slot, List<ExecutorDetails> executors) {
        if (!executors.isEmpty()) {
            cluster.assign(slot, topology.getId(), executors);
        }
    }

    @Override
    public Map<String, Object> config() {
        return Map.of();
    }
}
