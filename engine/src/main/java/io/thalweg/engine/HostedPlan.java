// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.engine.chain.OperatorException;
import io.thalweg.engine.checkpoint.Restore;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.plan.Build;
import io.thalweg.engine.plan.Chain;
import io.thalweg.engine.plan.HostedInput;
import io.thalweg.engine.plan.Plan;
import io.thalweg.engine.plan.PlanDescription;
import io.thalweg.run.Clock;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.PlanBuilder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How a graph runs on another engine: chains of fused operators, each with a number of tasks, and the links between
 * them. The other engine transports records between tasks; {@link HostedChain} is a task, and {@link HostedJob}
 * coordinates them.
 */
public final class HostedPlan {
    /**
     * Operators that are fused.
     *
     * @param number in the plan
     * @param firstTask number of its first task among all tasks of the job
     * @param reads begins with a source
     * @param writes has a sink
     */
    public record Part(
            int number,
            String name,
            List<String> operators,
            int parallelism,
            int firstTask,
            boolean reads,
            boolean writes,
            boolean blocking) {}

    /**
     * An edge that is not fused.
     *
     * @param number of the edge in the graph
     * @param from number of the part that sends
     * @param straight from task i to task i only
     */
    public record Link(int number, int from, int to, boolean straight, Codec<Object> codec) {}

    /** One way into a task: along a link, from a task of a part. */
    public record Input(int link, int part, int task) {}

    private final Plan plan;
    private final List<Part> parts = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();

    /**
     * @param parallelism of operators that do not say how many tasks they want
     * @throws io.thalweg.api.graph.TopologyException if the graph cannot run so
     */
    public HostedPlan(TopologyGraph graph, int parallelism) {
        plan = new Plan(graph, parallelism);
        int tasks = 0;
        for (Chain chain : plan.chains()) {
            boolean writes = chain.nodes().stream().anyMatch(node -> node.spec().sink() != null);
            boolean reads = chain.head().spec().source() != null;
            parts.add(new Part(
                    chain.id(),
                    chain.name(),
                    chain.operators(),
                    chain.parallelism(),
                    tasks,
                    reads,
                    writes,
                    chain.blocking()));
            tasks += chain.parallelism();
        }
        for (int number = 0; number < graph.edges().size(); number++) {
            Edge edge = graph.edges().get(number);
            if (!plan.fused(edge)) {
                links.add(new Link(
                        number,
                        plan.chainOf(edge.from()).id(),
                        plan.chainOf(edge.to()).id(),
                        plan.straight(edge),
                        edge.type().codec()));
            }
        }
    }

    /**
     * As data.
     *
     * @param builder holds the settings, and options of the other engine
     * @param promise the guarantee, in words of the other engine
     * @param runsAs what is special about the tasks of a part
     */
    public PlanInfo describe(PlanBuilder builder, String runner, String promise, Function<Part, String> runsAs) {
        PlanDescription.addChains(plan, builder, chain -> runsAs.apply(parts.get(chain.id())));
        return builder.build(runner, promise, PlanDescription.crossing(plan));
    }

    public TopologyGraph graph() {
        return plan.graph();
    }

    public List<Part> parts() {
        return List.copyOf(parts);
    }

    public List<Link> links() {
        return List.copyOf(links);
    }

    /** Of all tasks, by their number. */
    List<String> taskNames() {
        List<String> names = new ArrayList<>();
        for (Part part : parts) {
            for (int task = 0; task < part.parallelism(); task++) {
                names.add(part.name() + "[" + task + "]");
            }
        }
        return names;
    }

    /** Of all parts. */
    public int tasks() {
        return parts.stream().mapToInt(Part::parallelism).sum();
    }

    /** The inputs of a task, in the order in which {@link HostedChain} numbers them. */
    public List<Input> inputs(Part part, int task) {
        return HostedInput.of(plan, plan.chains().get(part.number()), task).stream()
                .map(input -> new Input(input.link(), input.chain(), input.task()))
                .toList();
    }

    /** Index of a part's first task among the tasks that write; -1 if the part has no sink. */
    int writersBefore(Part part) {
        return part.writes()
                ? parts.stream()
                        .filter(each -> each.writes() && each.number() < part.number())
                        .mapToInt(Part::parallelism)
                        .sum()
                : -1;
    }

    /**
     * The splits of all sources, by number of the node. Called once, before the job starts.
     *
     * @throws JobFailedException if a source cannot list its splits, or the checkpoint does not belong to the graph
     */
    public Map<Integer, List<String>> splits(HostedSettings settings) {
        try {
            return Build.splits(plan, saved(settings));
        } catch (OperatorException | ConnectorException e) {
            throw FailureText.of(plan.graph().name(), "", e, List.of());
        }
    }

    @Nullable SavedState saved(HostedSettings settings) {
        String from = settings.restoreFrom();
        if (from == null) {
            return null;
        }
        return RestoreCheck.of(Restore.from(Path.of(from)), plan.graph(), settings.tolerance(), warning -> {});
    }

    Plan plan() {
        return plan;
    }

    /** The engine's clock, in nanoseconds from an arbitrary origin. */
    public static long nowNs() {
        return Clock.system().nowNs();
    }

    /** The one-line message of a failure in a task: topology, operator, task, cause. */
    public static String failure(String topology, String task, Throwable thrown) {
        return String.valueOf(FailureText.of(topology, task, thrown, List.of()).getMessage());
    }
}
