// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm.doctor;

import io.thalweg.api.stats.PlanInfo;
import io.thalweg.doctor.observation.OneLine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.ComponentObject;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.StormTopology;

/** Makes a plan of a topology of Storm: each component is an operator, and its tasks are executors. */
final class TopologyPlan {
    /** More are not looked at. */
    private static final int MOST_COMPONENTS = 500;

    /** Settings of a topology that rules ask for, or that people do. */
    private static final List<String> SETTINGS = List.of(
            "topology.workers",
            "topology.max.spout.pending",
            "topology.message.timeout.secs",
            "topology.acker.executors",
            "topology.producer.batch.size",
            "topology.transfer.batch.size",
            "topology.batch.flush.interval.millis",
            "topology.disable.loadaware.messaging",
            "topology.fall.back.on.java.serialization",
            "topology.testing.always.try.serialize",
            "topology.debug",
            "topology.stats.sample.rate",
            TopologyObserver.FREQUENCY);

    private static final String SHELL = "org.apache.storm.task.ShellBolt";
    private static final String OWN_THREADS = "each on a thread of its own";

    private TopologyPlan() {}

    /**
     * @param workers how many run it
     * @param executors of each component
     * @throws IOException if there is nothing in it, or too much; the message is one line
     */
    static PlanInfo of(
            String name,
            String version,
            int workers,
            StormTopology topology,
            Map<String, Integer> executors,
            Map<?, ?> settings)
            throws IOException {
        Map<String, ComponentCommon> components = new LinkedHashMap<>();
        topology.get_spouts().forEach((each, spout) -> components.put(each, spout.get_common()));
        topology.get_bolts().forEach((each, bolt) -> components.put(each, bolt.get_common()));
        components.keySet().removeIf(ExecutorTotals::isSystem);
        if (components.isEmpty() || components.size() > MOST_COMPONENTS) {
            throw new IOException("topology '" + name + "' has " + components.size() + " components; from 1 to "
                    + MOST_COMPONENTS + " can be looked at");
        }
        List<PlanInfo.Operator> operators = new ArrayList<>();
        List<PlanInfo.Chain> chains = new ArrayList<>();
        List<PlanInfo.Edge> edges = new ArrayList<>();
        for (String component : sorted(components)) {
            int tasks = executors.getOrDefault(component, 0);
            String kind = topology.get_spouts().containsKey(component) ? "source" : "operator";
            operators.add(new PlanInfo.Operator(component, kind, component, chains.size(), tasks, false, true));
            chains.add(new PlanInfo.Chain(chains.size(), List.of(component), tasks, OWN_THREADS));
            inputs(Objects.requireNonNull(components.get(component))).forEach((stream, grouping) -> {
                if (components.containsKey(stream.get_componentId())) {
                    edges.add(edge(stream, component, grouping, executors));
                }
            });
        }
        return new PlanInfo(name, version, workers, operators, chains, edges, options(settings));
    }

    /** Bolts each task of which runs a program in another language. */
    static Set<String> shells(StormTopology topology) {
        Set<String> shells = new LinkedHashSet<>();
        topology.get_bolts().forEach((name, bolt) -> {
            ComponentObject object = bolt.get_bolt_object();
            if (object.is_set_shell() || (object.is_set_serialized_java() && names(object, SHELL))) {
                shells.add(name);
            }
        });
        return shells;
    }

    /** What a bolt is made of is not read: but Java's serialization names its class, and those that it extends. */
    private static boolean names(ComponentObject object, String type) {
        return new String(object.get_serialized_java(), StandardCharsets.ISO_8859_1).contains(type);
    }

    private static Map<GlobalStreamId, Grouping> inputs(ComponentCommon component) {
        return component.get_inputs() == null ? Map.of() : component.get_inputs();
    }

    private static PlanInfo.Edge edge(
            GlobalStreamId stream, String to, Grouping grouping, Map<String, Integer> executors) {
        String from = stream.get_componentId();
        return new PlanInfo.Edge(
                from,
                to,
                stream.get_streamId().equals("default") ? "" : OneLine.of(stream.get_streamId()),
                0,
                words(grouping),
                executors.getOrDefault(from, 0),
                executors.getOrDefault(to, 0),
                "Tuple",
                "Storm's",
                false,
                false,
                "each executor has a queue",
                false);
    }

    /** What a custom grouping is made of is not read: it is Java's serialization. */
    private static String words(Grouping grouping) {
        if (grouping.is_set_fields()) {
            return grouping.get_fields().isEmpty()
                    ? "global"
                    : "by key " + OneLine.of(String.join(", ", grouping.get_fields()));
        }
        if (grouping.is_set_shuffle()) {
            return "shuffle";
        }
        if (grouping.is_set_local_or_shuffle()) {
            return "local or shuffle";
        }
        if (grouping.is_set_all()) {
            return "to all";
        }
        return grouping.is_set_direct() ? "direct" : grouping.is_set_none() ? "none" : "custom";
    }

    /** In topological order; components of a cycle come last. */
    private static List<String> sorted(Map<String, ComponentCommon> components) {
        Set<String> sorted = new LinkedHashSet<>();
        boolean more = true;
        while (more) {
            more = false;
            for (Map.Entry<String, ComponentCommon> each : components.entrySet()) {
                boolean ready = inputs(each.getValue()).keySet().stream()
                        .map(GlobalStreamId::get_componentId)
                        .allMatch(from -> sorted.contains(from) || !components.containsKey(from));
                more |= ready && sorted.add(each.getKey());
            }
        }
        sorted.addAll(components.keySet());
        return List.copyOf(sorted);
    }

    private static List<PlanInfo.Option> options(Map<?, ?> settings) {
        List<PlanInfo.Option> options = new ArrayList<>();
        for (String name : SETTINGS) {
            Object value = settings.get(name);
            if (value != null) {
                options.add(new PlanInfo.Option("", name, OneLine.of(value.toString())));
            }
        }
        return options;
    }
}
