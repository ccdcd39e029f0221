// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Suggestion;
import io.thalweg.api.graph.GraphFeature;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.FeatureRules;
import io.thalweg.run.InputRules;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.OutputRules;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.run.SystemsReady;
import io.thalweg.run.Tolerance;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.operators.SlotSharingGroup;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.RecoveryClaimMode;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.jspecify.annotations.Nullable;

/** Runs topologies on Apache Flink 2.3: on a cluster within this JVM, or on a session cluster. Any thread may call. */
public final class FlinkRunner implements Runner {
    private final RunSettings settings;
    private final @Nullable String address;
    private final List<Path> code;

    private final boolean elsewhere;
    private final @Nullable ClusterKeys keys;
    private final Map<String, String> options;
    private final Map<String, SlotSharingGroup> slots;

    /**
     * @param elsewhere true if the cluster does not have this JVM's class path
     * @param keys of the cluster at the address; null to look whether it is this user's trial cluster
     */
    FlinkRunner(
            RunSettings settings,
            @Nullable String address,
            List<Path> code,
            boolean elsewhere,
            @Nullable ClusterKeys keys) {
        this(settings, address, code, elsewhere, keys, Map.of(), Map.of());
    }

    private FlinkRunner(
            RunSettings settings,
            @Nullable String address,
            List<Path> code,
            boolean elsewhere,
            @Nullable ClusterKeys keys,
            Map<String, String> options,
            Map<String, SlotSharingGroup> slots) {
        this.options = Map.copyOf(options);
        this.slots = Map.copyOf(slots);
        this.keys = keys;
        this.settings = settings;
        this.address = address;
        this.code = List.copyOf(code);
        this.elsewhere = elsewhere;
    }

    /** Runs each job on a mini cluster of its own within this JVM, with enough slots for all its tasks. */
    public static FlinkRunner inThisJvm(RunSettings settings) {
        return new FlinkRunner(settings, null, List.of(), false, null);
    }

    /**
     * The same, for jobs whose classes are not on this JVM's class path.
     *
     * @param code jars with them
     */
    public static FlinkRunner inThisJvm(RunSettings settings, List<Path> code) {
        return inThisJvm(settings).withCode(code);
    }

    /**
     * @param address {@code host:port} of the cluster's REST endpoint
     * @param code jars with the classes that the cluster does not have
     * @throws IllegalArgumentException if the address cannot be one
     */
    public static FlinkRunner on(String address, RunSettings settings, List<Path> code) {
        return new FlinkRunner(settings, ClusterConnection.checked(address), code, true, null);
    }

    /**
     * Runs each job on a cluster whose processes have this JVM's class path, so that no classes are sent to it.
     *
     * @param address {@code host:port} of the cluster's REST endpoint
     * @param keys of the cluster
     * @throws IllegalArgumentException if the address cannot be one
     */
    public static FlinkRunner on(String address, RunSettings settings, ClusterKeys keys) {
        return new FlinkRunner(settings, ClusterConnection.checked(address), List.of(), false, keys);
    }

    FlinkRunner withCode(List<Path> jars) {
        return new FlinkRunner(settings, address, jars, elsewhere, keys, options, slots);
    }

    /**
     * Sets options of Flink, such as {@code execution.buffer-timeout.interval}, for the job and, if it runs within this JVM, for its
     * mini cluster; they override those that Thalweg sets.
     */
    public FlinkRunner with(Map<String, String> flinkOptions) {
        return new FlinkRunner(settings, address, code, elsewhere, keys, flinkOptions, slots);
    }

    /**
     * Puts operators into slot sharing groups: those of different groups are never in one slot and never chained, and a group may ask
     * for resources that only some TaskManagers have. An operator that is not named follows Flink's rule: it is in the group of its
     * inputs, or in {@code default}.
     *
     * <pre>{@code
     * SlotSharingGroup gpu = SlotSharingGroup.newBuilder("gpu")
     *         .setCpuCores(1).setTaskHeapMemoryMB(512).setExternalResource("gpu", 1).build();
     * FlinkRunner.on("flink:8081", settings, jars).withSlotSharing(Map.of("classify", gpu)).start(graph);
     * }</pre>
     *
     * @param groups by the names of operators; one that the topology does not have is refused when it is started
     */
    public FlinkRunner withSlotSharing(Map<String, SlotSharingGroup> groups) {
        return new FlinkRunner(settings, address, code, elsewhere, keys, options, groups);
    }

    @Override
    public FlinkRunningJob start(TopologyGraph graph) {
        check(graph);
        graph.warnings().forEach(settings.warnings());
        if (address == null) {
            SystemsReady.await(graph, settings);
        }
        CheckpointLock lock = CheckpointLock.take(settings, address == null);
        boolean started = false;
        try {
            FlinkRunningJob running = start(graph, lock);
            started = true;
            return running;
        } finally {
            if (!started) {
                lock.close();
            }
        }
    }

    private FlinkRunningJob start(TopologyGraph graph, CheckpointLock lock) {
        CheckpointSettings checkpoints = settings.checkpoints();
        if (checkpoints != null && settings.guarantee() != Guarantee.NONE) {
            ClusterJob.check(checkpoints, last -> status(graph.name(), last));
        }
        String from = SavedJob.toGoOnFrom(checkpoints);
        JobGraph job = from == null ? describe(graph, null) : restored(graph, from);
        ClusterConnection connection = address == null
                ? ClusterConnection.inThisJvm(slotsOf(graph), options(graph))
                : ClusterConnection.of(graph.name(), address, keys);
        boolean started = false;
        try {
            JobJar.attach(job, graph, code, elsewhere);
            lock.begins(address == null ? null : new ClusterJob(job.getJobID(), address), settings.warnings());
            FlinkRunningJob running = FlinkRunningJob.submit(graph, settings, connection, job, lock);
            started = true;
            return running;
        } finally {
            if (!started) {
                connection.close();
            }
        }
    }

    /** How a job stands on its cluster; empty if that does not know it. */
    private Optional<JobStatus> status(String topology, ClusterJob job) {
        ClusterKeys known = job.address().equals(address) ? keys : null;
        try (ClusterConnection connection = ClusterConnection.of(topology, job.address(), known)) {
            return Optional.of(Answer.of(connection.client().getJobStatus(job.id())));
        } catch (ExecutionException e) {
            if (Answer.isUnknown(e)) {
                return Optional.empty();
            }
            throw FailureText.of(topology, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JobFailedException("topology '" + topology + "': interrupted", e);
        }
    }

    private JobGraph restored(TopologyGraph graph, String from) {
        try {
            CheckpointMetadata saved = SavedOwners.read(from);
            JobGraph job = describe(graph, saved);
            boolean leftOut = SavedOwners.check(
                    graph.name(), job, from, saved, tolerance().discard());
            job.setSavepointRestoreSettings(
                    SavepointRestoreSettings.forPath(from, leftOut, RecoveryClaimMode.NO_CLAIM));
            return job;
        } catch (ConnectorException e) {
            throw new JobFailedException(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public Set<GraphFeature> features() {
        return Set.of(GraphFeature.DIRECT_GROUPING, GraphFeature.TICKS);
    }

    private void check(TopologyGraph graph) {
        FeatureRules.check(graph, "Flink", features());
        FlinkOptions.check(graph.name(), settings);
        checkSlotSharing(graph);
        OutputRules.check(graph, settings);
        if (settings.guarantee() != Guarantee.NONE) {
            InputRules.checkReplayable(graph, settings.guarantee());
        }
        if (address != null) {
            String cluster = "the Flink cluster at " + address;
            SystemsReady.checkElsewhere(graph, settings, cluster);
            InputRules.checkReachable(graph, cluster);
        }
    }

    private void checkSlotSharing(TopologyGraph graph) {
        Set<String> names = graph.nodes().stream().map(Node::name).collect(Collectors.toSet());
        slots.forEach((operator, group) -> {
            if (!names.contains(operator)) {
                throw new TopologyException(
                        graph.name(),
                        "",
                        "there is no operator '" + operator + "' to put into slot sharing group '" + group.getName()
                                + "'" + Suggestion.of(operator, names));
            }
        });
    }

    /** Enough for each group to have as many as its widest operator has tasks. */
    private int slotsOf(TopologyGraph graph) {
        int widest = graph.nodes().stream()
                .mapToInt(node -> graph.parallelism(node, settings.parallelism()))
                .max()
                .orElse(1);
        long groups = slots.values().stream()
                .map(SlotSharingGroup::getName)
                .distinct()
                .count();
        return (int) (widest * (1 + groups));
    }

    private Tolerance tolerance() {
        CheckpointSettings checkpoints = settings.checkpoints();
        return checkpoints == null ? Tolerance.NONE : checkpoints.tolerance();
    }

    private Configuration options(TopologyGraph graph) {
        Configuration all = FlinkOptions.of(graph.name(), settings);
        options.forEach(all::setString);
        return all;
    }

    /** @param saved the checkpoint that the job is restored from; null if it begins */
    private JobGraph describe(TopologyGraph graph, @Nullable CheckpointMetadata saved) {
        try {
            return described(graph, saved);
        } catch (IllegalArgumentException e) {
            if (options.isEmpty()) {
                throw e;
            }
            throw new TopologyException(
                    graph.name(), "", "Flink does not take one of the options that were given: " + e.getMessage());
        }
    }

    private JobGraph described(TopologyGraph graph, @Nullable CheckpointMetadata saved) {
        StreamExecutionEnvironment environment = new StreamExecutionEnvironment(options(graph));
        Translation.into(
                environment,
                graph,
                new Translation.Options(
                        settings.parallelism(),
                        settings.failOnBad(),
                        settings.guarantee(),
                        tolerance().changedInput(),
                        saved,
                        tolerance().discard(),
                        slots));
        StreamGraph job = environment.getStreamGraph();
        job.setJobName(graph.name());
        return job.getJobGraph();
    }

    @Override
    public PlanInfo plan(TopologyGraph graph) {
        check(graph);
        return FlinkPlan.of(graph, settings, describe(graph, null));
    }
}
