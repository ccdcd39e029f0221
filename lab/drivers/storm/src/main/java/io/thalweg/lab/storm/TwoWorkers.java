// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import io.thalweg.lab.driver.Cell.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.IScheduler;
import org.apache.storm.scheduler.Topologies;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.scheduler.WorkerSlot;

/**
 * Puts sources and ackers into one worker and everything between sources and sinks into the other; the sinks where the topology's
 * setting {@link #PLACEMENT} says. A topology that asks for one worker has all in that. Nimbus makes it by its name.
 */
public final class TwoWorkers implements IScheduler {
    /** The name of a setting of the topology, which is a {@link Placement}. */
    static final String PLACEMENT = "lab.placement";

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
            Placement placement = Placement.valueOf(
                    Objects.requireNonNull((String) topology.getConf().get(PLACEMENT)));
            List<ExecutorDetails> first = new ArrayList<>();
            List<ExecutorDetails> second = new ArrayList<>();
            boolean together = topology.getNumWorkers() == 1;
            cluster.getNeedsSchedulingExecutorToComponents(topology)
                    .forEach((executor, component) ->
                            (together || isFirst(component, placement) ? first : second).add(executor));
            assign(cluster, topology, slots.get(0), first);
            assign(cluster, topology, slots.get(1), second);
        }
    }

    private static boolean isFirst(String component, Placement placement) {
        return component.equals(io.thalweg.lab.storm.Topologies.SOURCE)
                || (placement == Placement.BETWEEN && component.equals(io.thalweg.lab.storm.Topologies.SINK))
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
