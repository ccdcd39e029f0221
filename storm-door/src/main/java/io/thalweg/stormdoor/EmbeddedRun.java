// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.run.RunningJob;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.TopologyInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A topology that runs in this process. */
final class EmbeddedRun implements StormRun {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedRun.class);

    /** What bolts may take, once all spouts have ended, before they are left behind. */
    private static final Duration BOLTS = Duration.ofSeconds(5);

    /** What those may take that were interrupted. */
    private static final Duration INTERRUPTED = Duration.ofSeconds(2);

    private final Host host;
    private final RunningJob job;

    EmbeddedRun(Host host, RunningJob job) {
        this.host = host;
        this.job = job;
    }

    /** Ends the host with the job, even if nobody waits for it: callers of DRPC functions may wait for an answer. */
    void watch() {
        Host.daemon(
                        () -> {
                            try {
                                await();
                            } catch (InterruptedException | RuntimeException e) {
                                // who waits for the run is told
                            }
                        },
                        "thalweg-" + host.layout.name + "-watch")
                .start();
    }

    @Override
    public String id() {
        return host.id;
    }

    @Override
    public RunningJob job() {
        return job;
    }

    @Override
    public List<ComponentStats> stats() {
        return host.stats();
    }

    @Override
    public TopologyInfo info() {
        return host.info();
    }

    @Override
    public long pending() {
        return host.pending();
    }

    @Override
    public long dropped() {
        return host.dropped();
    }

    @Override
    public Map<String, Long> unacked() {
        return host.unacked();
    }

    @Override
    public void activate() {
        host.activate(true);
    }

    @Override
    public void deactivate() {
        host.activate(false);
    }

    @Override
    public void kill(Duration within) {
        host.stop(within.toNanos());
    }

    @Override
    public void await() throws InterruptedException {
        try {
            job.await();
        } catch (RuntimeException | Error e) { // it has failed; whoever is interrupted leaves it running
            host.end();
            throw e;
        }
        host.end();
    }

    @Override
    public boolean stop(Duration within) throws InterruptedException {
        return stop(within, BOLTS);
    }

    @Override
    public boolean stop(Duration within, Duration bolts) throws InterruptedException {
        kill(within);
        if (await(within.plus(bolts))) {
            return true;
        }
        job.cancel();
        boolean ended = await(bolts);
        if (!ended) {
            LOG.warn("a call of a spout or bolt of '{}' does not come back, and is interrupted", host.layout.name);
            host.interrupt();
            ended = job.await(INTERRUPTED);
        }
        host.end();
        return ended;
    }
}
