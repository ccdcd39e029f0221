// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.engine.HostedOrders;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.StormTopology;
import org.jspecify.annotations.Nullable;

/** Submits topologies to one Storm cluster. */
interface Submitter {
    boolean local();

    /** How many workers a job with this number of tasks gets. */
    int workers(int tasks);

    /**
     * Starts a topology.
     *
     * @throws io.thalweg.run.JobFailedException if it cannot be started; the message says what to do
     * @throws UnsureException if it may have been started
     */
    Running submit(String name, String job, HostedOrders first, Map<String, Object> config, Topology topology);

    /** True if the cluster just did not answer, so that the same may be tried again. */
    default boolean isAway(RuntimeException thrown) {
        return false;
    }

    /** The cluster may have taken a topology or not. */
    final class UnsureException extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final String advice;
        private final transient Running perhaps;

        /**
         * @param advice what the user is to do if nobody ends it for him
         * @param perhaps lingers until it is known that it does not run, and cannot be followed
         */
        UnsureException(String message, String advice, @Nullable Throwable cause, Running perhaps) {
            super(message, cause);
            this.advice = advice;
            this.perhaps = perhaps;
        }

        String advice() {
            return advice;
        }

        Running perhaps() {
            return perhaps;
        }
    }

    /** Makes the topology, once the place where it will run is known. */
    interface Topology {
        TopologyGraph graph();

        StormTopology make();
    }

    /** A topology that was started. One thread at a time may call, except for {@link #cancel}. */
    interface Running {
        /** The messages from the job; waits for some. */
        List<ControlMessage> receive(Duration atMost) throws InterruptedException;

        /** What the cluster says of a topology that says nothing; null if it runs in this JVM. */
        @Nullable TopologyStatus standing();

        /** Asks the job to stop gracefully. */
        void cancel();

        /**
         * Kills the topology on Storm.
         *
         * @throws io.thalweg.run.JobFailedException if it may still be there; the message says what to do
         */
        void end() throws InterruptedException;

        /** True if a task of the topology may still write: one that was killed may not have come back from a call. */
        default boolean lingers() throws InterruptedException {
            return false;
        }

        /** Why it lingers, and until when, in the middle of a line. */
        default String lingering() {
            return "a call in a task that was ended has not come back, and may still write; the job continues when it has";
        }
    }
}
