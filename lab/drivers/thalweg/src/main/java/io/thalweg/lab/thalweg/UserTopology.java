// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

import com.sun.management.OperatingSystemMXBean;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.graph.TunedGraph;
import io.thalweg.files.DeadLetterFile;
import io.thalweg.job.JobLoader;
import io.thalweg.job.LoadedJob;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.JobFigures;
import io.thalweg.lab.driver.RefusedException;
import io.thalweg.run.BadLimit;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.run.RunningJob;
import io.thalweg.run.output.DigestSink;
import io.thalweg.run.output.OutputDigests;
import io.thalweg.run.output.PrintedLines;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A user's own topology, run until its input ends, in the same way as by {@code thalweg run}, on any road within this JVM. Its sinks
 * are not opened, unless the cell says so: a digest of what comes to them stands for the output. What its own code prints is part of
 * that.
 */
public final class UserTopology {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final Cell cell;
    private final Road road;
    private final OutputDigests digests;

    private UserTopology(Cell cell, Road road, OutputDigests digests) {
        this.cell = cell;
        this.road = road;
        this.digests = digests;
    }

    /** An engine that runs topologies. */
    public interface Road {
        /** @param code jars with the job's own classes */
        Runner runner(RunSettings settings, List<Path> code) throws Exception;
    }

    /**
     * Runs the topology of a cell to its end, and leaves its {@link JobFigures}.
     *
     * @throws RefusedException if the road does not take it; the message says why
     */
    public static void run(Cell cell, Road road) throws Exception {
        String type = cell.text("class", "");
        LoadedJob loaded = new JobLoader(null).load(Path.of(cell.jar()), type.isEmpty() ? null : type);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        PrintStream out = System.out;
        PrintedLines printed = new PrintedLines();
        thread.setContextClassLoader(loaded.loader());
        if (!cell.writesOutput()) {
            System.setOut(new PrintStream(printed, false, StandardCharsets.UTF_8));
        }
        try (OutputDigests digests = new OutputDigests();
                DeadLetterFile letters = new DeadLetterFile(cell.folder().path().resolve("dead-letters.jsonl"))) {
            new UserTopology(cell, road, digests).run(loaded, printed, letters);
        } finally {
            System.setOut(out);
            thread.setContextClassLoader(before);
        }
    }

    private void run(LoadedJob loaded, PrintedLines printed, DeadLetterFile letters) throws Exception {
        TopologyGraph graph = metered(loaded.define(cell.set()));
        RunSettings settings = RunSettings.defaults()
                .withBadLimit(BadLimit.none())
                .withBadRecords(letters::accept)
                .withConsole(System.out);
        Runner runner = road.runner(settings, loaded.jars());
        try {
            runner.plan(graph);
        } catch (TopologyException | ConnectorException e) {
            throw new RefusedException(String.valueOf(e.getMessage()));
        }
        long begunNs = System.nanoTime();
        long cpuNs = SYSTEM.getProcessCpuTime();
        try {
            RunningJob job = runner.start(graph);
            var end = job.await();
            double elapsedS = (System.nanoTime() - begunNs) / 1e9;
            double cpuS = (SYSTEM.getProcessCpuTime() - cpuNs) / 1e9;
            List<JobFigures.Output> outputs = new ArrayList<>();
            if (!cell.writesOutput()) {
                digests.add("printed lines", printed.digest());
                digests.totals()
                        .forEach(
                                each -> outputs.add(new JobFigures.Output(each.name(), each.records(), each.digest())));
            }
            outputs.add(new JobFigures.Output("bad records", end.recordsBad(), ""));
            outputs.add(new JobFigures.Output("late records", end.recordsLate(), ""));
            new JobFigures(elapsedS, cpuS, outputs).write(cell.folder());
        } catch (JobFailedException e) {
            throw told(e);
        }
    }

    private TopologyGraph metered(TopologyGraph graph) {
        TopologyGraph read = TunedGraph.withSources(graph, source -> new MeteredSource(source, cell));
        TopologyGraph written = cell.writesOutput() ? read : DigestSink.insteadOfSinks(read, digests);
        TopologyGraph counted = TunedGraph.withSinks(written, (node, sink) -> new MeteredSink(sink, cell));
        return cell.measuresAge() ? EventTimeLatency.in(counted, cell, System.currentTimeMillis()) : counted;
    }

    /** The engine's message names the operator and the record, which the deepest cause does not. */
    private static IllegalStateException told(JobFailedException failure) {
        IllegalStateException told = new IllegalStateException(failure.getMessage());
        told.addSuppressed(failure);
        return told;
    }
}
