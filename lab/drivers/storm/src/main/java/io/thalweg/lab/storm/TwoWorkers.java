// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

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
 * Puts ackers and the components that the topology's setting {@link #FIRST} names into one worker, and all else into the other. A
 * topology that asks for one worker has all in that. Nimbus makes it by its name.
 */
public final class TwoWorkers implements IScheduler {
    /** The name of a setting of the topology: the names of the sources, and of what else is in their worker. */
    static final String FIRST = "lab.first-worker";

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
            List<?> named = Objects.requireNonNull((List<?>) topology.getConf().get(FIRST));
            List<ExecutorDetails> first = new ArrayList<>();
            List<ExecutorDetails> second = new ArrayList<>();
            boolean together = topology.getNumWorkers() == 1;
            cluster.getNeedsSchedulingExecutorToComponents(topology)
                    .forEach((executor, component) -> (together
                                            || component.startsWith("__")
                                            || named.contains(component)
                                    ? first
                                    : second)
                            .add(executor));
            assign(cluster, topology, slots.get(0), first);
            assign(cluster, topology, slots.get(1), second);
        }
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
