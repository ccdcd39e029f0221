// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Driver;
import io.thalweg.lab.driver.RefusedException;
import io.thalweg.lab.driver.RunFolder;
import io.thalweg.lab.thalweg.ThalwegDriver;
import io.thalweg.lab.thalweg.UserTopology;
import io.thalweg.run.RunSettings;
import io.thalweg.storm.StormRunner;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.VersionInfo;
import org.jspecify.annotations.Nullable;

/** Runs cells on Apache Storm. Its topologies do not end by themselves: one is killed when all its records came out. */
public final class StormDriver implements Driver {
    private static final Duration LONGEST_START = Duration.ofMinutes(3);

    /** Longer than any run; the lab itself looks after runs that hang. */
    private static final Duration LONGEST_RUN = Duration.ofHours(3);

    private final Tuning tuning = Tuning.read();
    private @Nullable Cluster cluster;
    private boolean isReal;
    private int runs;

    @Override
    public String version() {
        return VersionInfo.getVersion();
    }

    @Override
    public void run(Cell cell) throws Exception {
        if (cell.workload() == Cell.Workload.TOPOLOGY) {
            close();
            Map<String, Object> options = options(cell);
            UserTopology.run(
                    cell, (settings, code) -> StormRunner.local(settings, 1).with(options));
            return;
        }
        if (cell.variant().equals("translated")) {
            translated(cell);
            return;
        }
        StormTopology topology = Topologies.of(cell, cell.folder().path());
        Config config = Topologies.config(cell, tuning.of(cell.variant()));
        config.putAll(KnownOptions.of(cell));
        Cluster at = cell.variant().equals("storm-door") ? door() : cluster(cell.kills() || cell.processes() > 1);
        String name = "run-" + ++runs;
        at.submit(name, config, topology);
        try {
            // A topology that is killed while its worker is being prepared takes the whole JVM with it.
            cell.folder().awaitStarted(LONGEST_START);
            if (cell.kills()) {
                cell.folder()
                        .setWorker(RunFolder.pid(
                                cell.folder().files(RunFolder.SAMPLES).get(0)));
                cell.folder().awaitClosed(cell.sources(), LONGEST_RUN);
            } else {
                cell.folder().awaitDrained(cell, LONGEST_RUN);
            }
        } finally {
            at.kill(name);
        }
    }

    /**
     * Thalweg's own topology, as {@code --on storm} runs it, every stage apart as in the hand-written one; of two processes, with its
     * stages where those written by hand are.
     */
    private void translated(Cell cell) throws Exception {
        RunSettings settings = ThalwegDriver.guaranteed(cell, RunSettings.defaults());
        TopologyGraph graph = ThalwegDriver.graph(cell, true);
        if (cell.processes() == 1) {
            close();
            ThalwegDriver.await(
                    StormRunner.local(settings, 1).with(options(cell)).start(graph), cell);
            return;
        }
        RealCluster real = (RealCluster) cluster(true);
        StormRunner runner = real.runner(settings);
        Map<String, Object> options = new HashMap<>(real.settings());
        options.put(TwoWorkers.FIRST, first(runner.plan(graph), graph, cell.placement()));
        options.put(Config.TOPOLOGY_WORKERS, cell.processes());
        options.put(
                Config.TOPOLOGY_ACKER_EXECUTORS,
                cell.guarantee() == Cell.Guarantee.ACKED ? (int) cell.number("ackers", cell.processes()) : 0);
        options.putAll(options(cell));
        ThalwegDriver.await(runner.with(options).start(graph), cell);
    }

    /** The components that run sources, and those that run sinks if these are in the same worker. */
    private static List<String> first(PlanInfo plan, TopologyGraph graph, Cell.Placement placement) {
        Set<String> operators = new HashSet<>();
        for (Node node : graph.nodes()) {
            if (node.spec().source() != null
                    || (placement == Cell.Placement.BETWEEN && node.spec().sink() != null)) {
                operators.add(node.name());
            }
        }
        return plan.chains().stream()
                .filter(chain -> chain.operators().stream().anyMatch(operators::contains))
                .map(chain -> chain.runsAs().substring(chain.runsAs().indexOf(' ') + 1)) // "spout chain-0"
                .toList();
    }

    /** What the variant says, and what the cell names. */
    private Map<String, Object> options(Cell cell) throws RefusedException, IllegalAccessException {
        Map<String, Object> options = Topologies.options(cell, tuning.of(cell.variant()));
        options.putAll(KnownOptions.of(cell));
        return options;
    }

    /** Only one of them is up at a time: a LocalCluster takes all that is submitted in its JVM for itself. */
    private Cluster cluster(boolean real) throws Exception {
        if (cluster != null && isReal == real) {
            return cluster;
        }
        close();
        Cluster started = real ? new RealCluster() : new InProcess();
        cluster = started;
        isReal = real;
        return started;
    }

    /** A LocalCluster would take what is submitted beside it for itself. */
    private Cluster door() throws IOException {
        close();
        return new Door();
    }

    @Override
    public void close() throws IOException {
        if (cluster != null) {
            cluster.close();
            cluster = null;
        }
    }
}
