// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

import java.util.List;

/**
 * How a topology runs: what a runner made of its graph, as data. {@code --explain} prints it, and {@link JobStats#plan} holds it, so
 * that a tool can compare what was measured with what was planned. Operators are known by their names, which are unique in a
 * topology.
 *
 * @param topology its name
 * @param runner {@code embedded}, {@code Flink 2.3.0}, {@code Storm}
 * @param workers threads that share the tasks that do not block; 0 if the job has no such threads
 * @param operators in topological order
 * @param chains in topological order of their first operators
 * @param edges in the order of the graph, those that lead back last
 * @param options what holds for the whole job, or for an operator
 */
public record PlanInfo(
        String topology,
        String runner,
        int workers,
        List<Operator> operators,
        List<Chain> chains,
        List<Edge> edges,
        List<Option> options) {
    public PlanInfo {
        operators = List.copyOf(operators);
        chains = List.copyOf(chains);
        edges = List.copyOf(edges);
        options = List.copyOf(options);
    }

    /**
     * An operator, a source or a sink.
     *
     * @param name unique in the topology
     * @param kind {@code window}
     * @param description what it does, as far as the topology says; no secrets
     * @param chain number of the chain that it is in
     * @param parallelism how many tasks it has
     * @param stateful it keeps something from record to record
     * @param deterministic false if what it emits depends on when it runs, or on which records come first
     */
    public record Operator(
            String name,
            String kind,
            String description,
            int chain,
            int parallelism,
            boolean stateful,
            boolean deterministic) {}

    /**
     * Operators that run in the same tasks: they call each other, without a queue between them.
     *
     * @param number its place in {@link PlanInfo#chains}
     * @param operators their names, the first takes the input
     * @param parallelism how many tasks it has
     * @param runsAs what is special about its tasks: {@code each on a thread of its own}, {@code spout chain-0}; may be empty
     */
    public record Chain(int number, List<String> operators, int parallelism, String runsAs) {
        public Chain {
            operators = List.copyOf(operators);
        }
    }

    /**
     * A stream from one operator to another.
     *
     * @param from name of the operator that emits
     * @param to name of the operator that receives
     * @param side name of the side output that it leaves; empty if it leaves the main output
     * @param input of the operator that it leads to: 0, or 1 for the second
     * @param grouping as it runs: {@code by key String}, {@code forward}
     * @param tasksFrom how many tasks the first operator has
     * @param tasksTo how many tasks the second operator has
     * @param type of the records
     * @param codec what writes them; empty if that follows from the type
     * @param timed records have event times
     * @param fused both operators are in one chain
     * @param reason why they are not; empty if they are
     * @param feedback it leads back, to an operator before or to the same one
     */
    public record Edge(
            String from,
            String to,
            String side,
            int input,
            String grouping,
            int tasksFrom,
            int tasksTo,
            String type,
            String codec,
            boolean timed,
            boolean fused,
            String reason,
            boolean feedback) {}

    /**
     * What was asked for, or holds because nothing was.
     *
     * @param operator that it holds for; empty if it holds for the whole job
     * @param name {@code guarantee}; as on the command line, if there is such an option
     * @param value as text, for people
     */
    public record Option(String operator, String name, String value) {}
}
