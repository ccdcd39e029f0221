// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.run.Clock;
import io.thalweg.run.RunningJob;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.TopologyInfo;

/** A topology whose tasks are elsewhere: of it, there is only the job here. */
final class ScatteredRun implements StormRun {
    /** A cluster ends a task within some seconds, or gives it up after some minutes. */
    private static final Duration END = Duration.ofMinutes(1);

    private static final Clock CLOCK = Clock.system();

    private final String id;
    private final Layout layout;
    private final RunningJob job;
    private final long startedNs = CLOCK.nowNs();
    private volatile boolean killed;

    /** @param id as its components are told */
    ScatteredRun(String id, Layout layout, RunningJob job) {
        this.id = id;
        this.layout = layout;
        this.job = job;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public RunningJob job() {
        return job;
    }

    @Override
    public List<ComponentStats> stats() {
        return List.of();
    }

    @Override
    public TopologyInfo info() {
        return NimbusView.of(id, layout, killed ? "KILLED" : "ACTIVE", CLOCK.nowNs() - startedNs, Map.of());
    }

    @Override
    public long pending() {
        return 0;
    }

    @Override
    public long dropped() {
        return 0;
    }

    @Override
    public Map<String, Long> unacked() {
        return Map.of();
    }

    @Override
    public void activate() {
        throw notHere();
    }

    @Override
    public void deactivate() {
        throw notHere();
    }

    private UnsupportedOperationException notHere() {
        return new UnsupportedOperationException(
                "topology '" + layout.name + "' runs elsewhere, where its spouts cannot be deactivated or activated;"
                        + " kill it, or run it in this process");
    }

    @Override
    public void kill(Duration within) {
        killed = true;
        job.cancel();
    }

    @Override
    public void await() throws InterruptedException {
        job.await();
    }

    @Override
    public boolean stop(Duration within) throws InterruptedException {
        return stop(within, END);
    }

    @Override
    public boolean stop(Duration within, Duration bolts) throws InterruptedException {
        kill(within);
        return await(bolts);
    }
}
