// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.engine.HostedOrders;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.StormTopology;

/** Submits topologies to one Storm cluster. */
interface Submitter {
    boolean local();

    /** How many workers a job of so many tasks gets. */
    int workers(int tasks);

    /**
     * Starts a topology.
     *
     * @throws io.thalweg.run.JobFailedException if that cannot be done, with one line that says what to do
     */
    Running submit(String name, String job, HostedOrders first, Map<String, Object> config, Topology topology);

    /** Makes the topology once there is where it will be. */
    interface Topology {
        TopologyGraph graph();

        StormTopology make();
    }

    /** A topology that was started. One thread at a time, but for {@link #cancel}. */
    interface Running {
        /** The messages that came from the job; waits some time for them. */
        List<ControlMessage> hear(Duration atMost) throws InterruptedException;

        /** Asks the job to stop gracefully. */
        void cancel();

        /** Kills the topology on Storm. */
        void end() throws InterruptedException;
    }
}
