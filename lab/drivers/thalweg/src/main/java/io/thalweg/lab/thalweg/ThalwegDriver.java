// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Driver;
import io.thalweg.lab.driver.RefusedException;
import io.thalweg.run.AckSettings;
import io.thalweg.run.BadLimit;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.Idle;
import io.thalweg.run.RunSettings;
import io.thalweg.run.RunningJob;
import java.io.IOException;
import java.time.Duration;

/** Runs cells on the embedded engine. */
public final class ThalwegDriver implements Driver {
    private static final int CHECKPOINT_MS = 1_000;
    private static final Duration STOP_CHECK = Duration.ofMillis(100);

    @Override
    public String version() {
        String version = EmbeddedRunner.class.getPackage().getImplementationVersion();
        return version == null ? "(not from a jar)" : version;
    }

    @Override
    public void run(Cell cell) throws Exception {
        if (cell.workload() == Cell.Workload.TOPOLOGY) {
            UserTopology.run(cell, (settings, code) -> new EmbeddedRunner(Options.in(cell, settings)));
            return;
        }
        if (cell.kills()) {
            Worker.runUntilItEnds(cell);
            return;
        }
        embedded(cell);
    }

    static void embedded(Cell cell) throws Exception {
        await(
                new EmbeddedRunner(Options.in(cell, settings(cell)))
                        .start(graph(cell, cell.variant().equals("apart"))),
                cell);
    }

    /** Waits for the job's end. The lab's own load ends by itself when it is told to stop, a topic's source does not. */
    public static void await(RunningJob job, Cell cell) throws InterruptedException {
        boolean stopping = !cell.from().equals("kafka");
        while (!job.await(STOP_CHECK)) {
            if (!stopping && cell.folder().stopped()) {
                stopping = true;
                job.cancel();
            }
        }
        job.await();
    }

    /**
     * The cell as a topology.
     *
     * @param apart every stage stands alone
     * @throws RefusedException if this machine lacks what the cell needs
     */
    public static TopologyGraph graph(Cell cell, boolean apart) throws IOException, RefusedException {
        Topology topology = Topology.named(cell.value("workload"));
        switch (cell.workload()) {
            case RELAY -> Relay.define(topology, cell, apart);
            case GROUP_BY -> Grouped.define(topology, cell, apart);
            case WINDOWS -> Windowed.define(topology, cell);
            case TELECOM -> Telecom.define(topology, cell, apart);
            case FLATTEN -> Telecom.flatten(topology, cell, apart);
            default -> throw new IllegalArgumentException("no workload of Thalweg: " + cell.workload());
        }
        return topology.graph();
    }

    private static RunSettings settings(Cell cell) {
        RunSettings defaults = RunSettings.defaults();
        Idle idle = switch (cell.waiting()) {
            case OWN -> defaults.idle();
            case PARK -> Idle.PARK;
            case SPIN -> Idle.SPIN;
        };
        return guaranteed(cell, defaults.withIdle(idle));
    }

    /** The settings with what the cell says on every engine: its guarantee, and a task for each stage that does not say how many. */
    public static RunSettings guaranteed(Cell cell, RunSettings bare) {
        RunSettings settings = bare.withBadLimit(BadLimit.none()).withParallelism(1);
        if (cell.guarantee() == Cell.Guarantee.NONE) {
            return settings;
        }
        if (cell.guarantee() == Cell.Guarantee.ACKED) {
            AckSettings acks = AckSettings.defaults().withTimeout(Duration.ofSeconds(cell.ackTimeoutS()));
            int pending = cell.maxPending();
            return settings.withAcks(pending == 0 ? acks : acks.withMaxPending(pending), null);
        }
        Guarantee guarantee =
                cell.guarantee() == Cell.Guarantee.EXACTLY_ONCE ? Guarantee.EXACTLY_ONCE : Guarantee.AT_LEAST_ONCE;
        Duration interval = Duration.ofMillis(cell.number("checkpoint-ms", CHECKPOINT_MS));
        CheckpointSettings checkpoints = CheckpointSettings.in(
                        cell.folder().path().resolve("checkpoints"))
                .every(interval);
        return settings.withGuarantee(guarantee, cell.kills() ? checkpoints.restoringLatest() : checkpoints);
    }

    @Override
    public void close() {}
}
