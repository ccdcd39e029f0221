// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.flink;

import io.thalweg.api.stats.PlanInfo;
import io.thalweg.doctor.observation.OneLine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The plan of a job: each vertex, with all operators that are chained in it, is one operator, for Flink tells times of
 * whole tasks only.
 *
 * @param info the plan
 * @param names of the vertices, by their ids, in topological order
 */
record FlinkPlan(PlanInfo info, Map<String, String> names) {
    /** More are not looked at: each of them is asked for once a second. */
    private static final int MOST_VERTICES = 200;

    private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");
    private static final Pattern SINK = Pattern.compile("Sink\\b.*|[^>]*: Writer\\b.*");
    private static final String OWN_THREADS = "each on a thread of its own";

    /**
     * @param details of the job
     * @param version of Flink
     * @param slots of all TaskManagers
     * @throws IOException if they make no sense, or there is too much of them
     */
    static FlinkPlan of(Answer details, String version, long slots) throws IOException {
        Map<String, Answer> nodes = new LinkedHashMap<>();
        for (Answer node : details.at("plan").at("nodes").elements()) {
            if (ID.matcher(node.at("id").text()).matches()) {
                nodes.put(node.at("id").text(), node);
            }
        }
        if (nodes.isEmpty() && details.at("state").text().equals("INITIALIZING")) {
            throw new IOException("the job is being initialized and has no plan yet: ask again in a moment");
        }
        if (nodes.isEmpty() || nodes.size() > MOST_VERTICES) {
            throw new IOException("the job's plan has " + nodes.size() + " vertices; from 1 to " + MOST_VERTICES
                    + " can be looked at");
        }
        Map<String, String> described = new LinkedHashMap<>();
        details.at("vertices")
                .elements()
                .forEach(vertex -> described.put(
                        vertex.at("id").text(), OneLine.of(vertex.at("name").text())));
        Map<String, String> names = new LinkedHashMap<>();
        Set<String> taken = new LinkedHashSet<>();
        for (String id : sorted(nodes)) {
            String name = described.getOrDefault(id, id);
            String unique = name;
            for (int again = 2; !taken.add(unique); again++) {
                unique = name + " (" + again + ")";
            }
            names.put(id, unique);
        }
        return new FlinkPlan(info(details, nodes, names, version, slots), names);
    }

    /** In topological order; nodes of a cycle come last. */
    private static List<String> sorted(Map<String, Answer> nodes) {
        Set<String> sorted = new LinkedHashSet<>();
        boolean more = true;
        while (more) {
            more = false;
            for (Map.Entry<String, Answer> node : nodes.entrySet()) {
                boolean ready = node.getValue().at("inputs").elements().stream()
                        .map(input -> input.at("id").text())
                        .allMatch(from -> sorted.contains(from) || !nodes.containsKey(from));
                more |= ready && sorted.add(node.getKey());
            }
        }
        sorted.addAll(nodes.keySet());
        return List.copyOf(sorted);
    }

    private static PlanInfo info(
            Answer details, Map<String, Answer> nodes, Map<String, String> names, String version, long slots) {
        List<PlanInfo.Operator> operators = new ArrayList<>();
        List<PlanInfo.Chain> chains = new ArrayList<>();
        List<PlanInfo.Edge> edges = new ArrayList<>();
        Set<String> emitting = new LinkedHashSet<>();
        nodes.values()
                .forEach(node -> node.at("inputs")
                        .elements()
                        .forEach(input -> emitting.add(input.at("id").text())));
        for (Map.Entry<String, String> vertex : names.entrySet()) {
            Answer node = nodes.getOrDefault(vertex.getKey(), details);
            int tasks = tasks(node);
            int number = chains.size();
            List<Answer> inputs = node.at("inputs").elements();
            boolean sink = !emitting.contains(vertex.getKey())
                    && SINK.matcher(vertex.getValue()).matches();
            String kind = inputs.isEmpty() ? "source" : sink ? "sink" : "operator";
            operators.add(
                    new PlanInfo.Operator(vertex.getValue(), kind, vertex.getValue(), number, tasks, false, true));
            chains.add(new PlanInfo.Chain(number, List.of(vertex.getValue()), tasks, OWN_THREADS));
            for (Answer input : inputs) {
                String from = names.get(input.at("id").text());
                if (from != null) {
                    edges.add(edge(
                            from,
                            vertex.getValue(),
                            tasks(nodes.getOrDefault(input.at("id").text(), node)),
                            tasks,
                            input));
                }
            }
        }
        return new PlanInfo(
                OneLine.of(details.at("name").text()),
                "Flink " + OneLine.of(version),
                0,
                operators,
                chains,
                edges,
                List.of(new PlanInfo.Option("", "slots", slots + " of all TaskManagers")));
    }

    private static PlanInfo.Edge edge(String from, String to, int tasksFrom, int tasksTo, Answer input) {
        String strategy = input.at("ship_strategy").text();
        return new PlanInfo.Edge(
                from,
                to,
                "",
                (int) Math.min(input.at("num").count(), Integer.MAX_VALUE),
                strategy.equals("HASH") ? "by key" : OneLine.of(strategy.toLowerCase(Locale.ROOT)),
                tasksFrom,
                tasksTo,
                "",
                "",
                false,
                false,
                "another vertex",
                false);
    }

    private static int tasks(Answer node) {
        return (int) Math.min(node.at("parallelism").count(), Integer.MAX_VALUE);
    }
}
