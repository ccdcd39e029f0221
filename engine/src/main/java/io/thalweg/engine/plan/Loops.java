// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.engine.chain.FeedbackSnapshot;
import io.thalweg.engine.chain.Loop;
import io.thalweg.engine.chain.LoopPart;
import io.thalweg.engine.chain.TaskAgreement;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.checkpoint.StateName;
import io.thalweg.engine.work.Waker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The loops of a plan. Operators are in one loop if each can be reached from the other. An operator within a loop that is fused with the
 * one before has no other input, so that one is within the loop, too: a chain is within the loop that its head is in.
 */
final class Loops {
    private final Plan plan;

    /** For each node the loop that it is within, by the least of its nodes; -1 if it is in none. */
    private final int[] loopOf;

    private final Map<Integer, Loop> loops = new HashMap<>();

    /** Of each stream that leads back what was on its way at the checkpoint that the job continues from, by task. */
    private final Map<StateName, Map<Integer, FeedbackSnapshot.OnTheirWay>> onTheirWay = new HashMap<>();

    /**
     * @param wakers wake-up handles of the tasks, by number of the chain
     * @param saves checkpoints are taken
     */
    Loops(Plan plan, BuildSettings settings, TaskAgreement agreement, Map<Integer, Waker[]> wakers, boolean saves) {
        this.plan = plan;
        loopOf = loopOf(plan.graph());
        for (Edge back : plan.graph().feedback()) {
            loops.computeIfAbsent(
                    loopOf[back.to()],
                    loop -> new Loop(extent(loop, settings), agreement, wakersOf(loop, wakers), saves));
        }
    }

    private static int[] loopOf(TopologyGraph graph) {
        int nodes = graph.nodes().size();
        BitSet[] reached = new BitSet[nodes];
        Arrays.setAll(reached, node -> new BitSet());
        List<Edge> all =
                Stream.concat(graph.edges().stream(), graph.feedback().stream()).toList();
        for (boolean grown = true; grown; ) {
            grown = false;
            for (Edge edge : all) {
                BitSet from = reached[edge.from()];
                int before = from.cardinality();
                from.set(edge.to());
                from.or(reached[edge.to()]);
                grown |= from.cardinality() > before;
            }
        }
        int[] loopOf = new int[nodes];
        for (int node = 0; node < nodes; node++) {
            loopOf[node] = -1;
            for (int other = 0; other < nodes && loopOf[node] < 0; other++) {
                if (reached[node].get(other) && reached[other].get(node)) {
                    loopOf[node] = other;
                }
            }
        }
        return loopOf;
    }

    private List<Waker> wakersOf(int loop, Map<Integer, Waker[]> wakers) {
        return chains(loop).stream()
                .flatMap(chain -> Arrays.stream(Build.wakers(wakers, chain)))
                .toList();
    }

    private Loop.Extent extent(int loop, BuildSettings settings) {
        List<Chain> chains = chains(loop);
        List<String> operators = plan.graph().nodes().stream()
                .filter(node -> loopOf[node.id()] == loop)
                .map(Node::name)
                .toList();
        List<Integer> tasks = chains.stream().map(Chain::parallelism).toList();
        int entered = chains.stream()
                .filter(chain -> plan.graph().inputsOf(chain.head()).stream().anyMatch(edge -> !within(edge)))
                .mapToInt(Chain::parallelism)
                .sum();
        return new Loop.Extent(
                plan.graph().name(), operators, tasks, entered, settings.feedbackLimit() + capacity(loop, settings));
    }

    /** How many records the queues within a loop hold, all of which may be led back at once. */
    private long capacity(int loop, BuildSettings settings) {
        long queues = Stream.concat(plan.graph().edges().stream(), plan.graph().feedback().stream())
                .filter(edge -> within(edge) && loopOf[edge.to()] == loop && !plan.fused(edge))
                .mapToLong(edge -> (long) plan.parallelism(plan.graph().node(edge.from()))
                        * plan.parallelism(plan.graph().node(edge.to())))
                .sum();
        return queues * settings.queueBatches() * settings.batchRecords();
    }

    private List<Chain> chains(int loop) {
        return plan.chains().stream()
                .filter(chain -> loopOf[chain.head().id()] == loop)
                .toList();
    }

    /** True if both ends of the edge are in the same loop. */
    boolean within(Edge edge) {
        return loopOf[edge.from()] >= 0 && loopOf[edge.from()] == loopOf[edge.to()];
    }

    /** The loop that a chain is in; null if it is in none. */
    @Nullable Loop of(Chain chain) {
        return loops.get(loopOf[chain.head().id()]);
    }

    /** The part of a task in its loop; null if it is in none. */
    @Nullable LoopPart partOf(Chain chain, int index) {
        Loop loop = of(chain);
        return loop == null
                ? null
                : new LoopPart(loop, chains(loopOf[chain.head().id()]).indexOf(chain), index);
    }

    /** What was on its way back to a task, which asks once; null if nothing was. */
    FeedbackSnapshot.@Nullable OnTheirWay onTheirWay(FeedbackSnapshot stream, SavedState saved, int task, long nowNs) {
        return onTheirWay
                .computeIfAbsent(stream.name(), name -> {
                    int tasks = plan.parallelism(plan.graph().node(stream.edge().to()));
                    return stream.restored(saved, stream.edge().grouping().accept(new Destinations(tasks)), nowNs);
                })
                .remove(task);
    }

    /** The edges from an operator that lead back. */
    static List<Edge> from(TopologyGraph graph, Node node) {
        return graph.feedback().stream()
                .filter(edge -> edge.from() == node.id())
                .toList();
    }

    /** All edges from an operator: those that lead on, and those that lead back. */
    static List<Edge> outputsOf(TopologyGraph graph, Node node) {
        List<Edge> all = new ArrayList<>(graph.outputsOf(node));
        all.addAll(from(graph, node));
        return all;
    }
}
