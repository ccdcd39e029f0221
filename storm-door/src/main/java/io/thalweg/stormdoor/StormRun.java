// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.run.RunningJob;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.TopologyInfo;

/** A Storm topology that runs. Any thread may call. */
public interface StormRun {
    /** Its id, as its components are told by {@code TopologyContext.getStormId}. */
    String id();

    /** The job that runs it. */
    RunningJob job();

    /** What each component did so far, by its id; empty if it runs elsewhere, where {@code job().stats()} has what the tasks did. */
    List<ComponentStats> stats();

    /**
     * What Storm's Nimbus would tell of it: what each executor did so far, by stream, with exact counts, as those of {@link #stats()}. Of
     * Storm's windows of time, {@code :all-time} and those are there that are longer than it has run. What is not known is not set. A new
     * object each time.
     *
     * @return without stats of executors if it runs elsewhere
     */
    TopologyInfo info();

    /** Tuples of spouts that are neither acked nor failed. */
    long pending();

    /**
     * Tuples that came too late: which a thread of a bolt's own emitted after the end, or that were on a stream that leads back when the
     * topology ended. They are in {@code emitted} and {@code transferred} of their sender, and executed by nobody. Not counted if it runs
     * elsewhere.
     */
    long dropped();

    /**
     * By component, tuples in the hands of bolts that emit from child processes or threads of their own: which they were given and have
     * neither acked nor failed. Of a topology that has ended, these were given up; whether they have an effect is not known. Components
     * without any are left out, and all if it runs elsewhere.
     */
    Map<String, Long> unacked();

    /**
     * Spouts are asked for tuples, as they are from the beginning unless {@link StormDoor#deactivate} said otherwise.
     *
     * @throws UnsupportedOperationException if it runs elsewhere
     */
    void activate();

    /**
     * Spouts are no longer asked for tuples.
     *
     * @throws UnsupportedOperationException if it runs elsewhere
     */
    void deactivate();

    /**
     * Ends the topology, and returns at once: spouts are deactivated; when all that they emitted with an id is acked, or has failed, or
     * after this time, they are closed; bolts execute what is on its way to them, and are cleaned up. What is on its way on a stream that
     * leads back is not executed. If it runs elsewhere, its job is cancelled at once, and nothing that is on its way is executed.
     *
     * @param within for what is not acked yet
     */
    void kill(Duration within);

    /**
     * Waits until the topology has ended, as it does after {@link #kill} or a failure.
     *
     * @throws io.thalweg.run.JobFailedException if a spout or bolt threw an exception
     */
    void await() throws InterruptedException;

    /**
     * Waits as {@link #await()} does, but not longer than this.
     *
     * @return whether it has ended
     */
    default boolean await(Duration atMost) throws InterruptedException {
        if (!job().await(atMost)) {
            return false;
        }
        await();
        return true;
    }

    /**
     * Kills it and waits. Spouts and bolts that do not come back from a call some seconds after that are interrupted, as Storm interrupts
     * them where a LocalCluster is closed. Those that do not come back even then are left behind with their threads, which keep the JVM
     * from ending by itself, as they do there; {@code System.exit} ends it.
     *
     * @return false if some were
     */
    boolean stop(Duration within) throws InterruptedException;

    /**
     * The same.
     *
     * @param bolts how long they may take after that
     */
    boolean stop(Duration within, Duration bolts) throws InterruptedException;
}
