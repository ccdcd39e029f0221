// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Source;
import io.thalweg.api.graph.GraphBuilder;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.graph.NodeBuilder;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorSupplier;
import io.thalweg.api.operator.SideOutput;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.storm.Config;
import org.apache.storm.utils.ObjectReader;

/**
 * Makes the graph of a topology: each executor is a task, and each component that is sent to is a side output with a direct grouping.
 *
 * @param <T> tuples on their way
 */
final class DoorGraph<T> {
    /**
     * What the graph is made of.
     *
     * @param <T> tuples on their way
     */
    interface Parts<T> {
        Type<T> type();

        Source<T> spout(Layout.Component component);

        /** Sends what a spout emits to the components that it is for. */
        OperatorSupplier<? extends Operator<T, T>> fork(Layout.Component spout);

        /** @param tickSecs 0 for no ticks */
        OperatorSupplier<? extends Operator<T, T>> bolt(Layout.Component component, int tickSecs);

        /** Leads to a bolt that reads nothing. */
        Source<T> nothing();

        /** Whether all tasks are in this process, so that a bolt keeps to itself whatever is before it. */
        boolean here();

        /** Whether the executors of a component have threads of their own. */
        boolean ownThreads(Layout.Component component);
    }

    private final Layout layout;
    private final Parts<T> parts;
    private final GraphBuilder graph;
    private final Map<String, String> outlets = new HashMap<>();

    private DoorGraph(Layout layout, Parts<T> parts) {
        this.layout = layout;
        this.parts = parts;
        graph = GraphBuilder.named(layout.name);
    }

    static <T> TopologyGraph of(Layout layout, Parts<T> parts) {
        return new DoorGraph<>(layout, parts).made();
    }

    private TopologyGraph made() {
        layout.components.values().forEach(this::add);
        for (Layout.Component component : layout.components.values()) {
            String id = component.id();
            if (layout.ahead(id).isEmpty()) { // a graph has no loose ends
                graph.sink(id + "/end", Sinks.<T>discard())
                        .parallelism(component.executors().size());
                graph.connect(id, id + "/end").grouped(new Grouping.Forward());
            }
            if (!component.spout()) {
                connect(component);
            }
        }
        return graph.build();
    }

    private void add(Layout.Component component) {
        String id = component.id();
        int executors = component.executors().size();
        if (component.spout()) {
            boolean own = parts.ownThreads(component);
            NodeBuilder spout = graph.source(id, parts.spout(component)).parallelism(executors);
            if (own) {
                spout.blocking();
            }
            if (!layout.ahead(id).isEmpty()) {
                NodeBuilder fork = operator(id + "/out", parts.fork(component)).parallelism(executors);
                if (own && parts.here()) {
                    fork.blocking(); // on the spout's thread
                }
                graph.connect(id, id + "/out").grouped(new Grouping.Forward());
                outlets.put(id, id + "/out");
            }
        } else {
            int tickSecs = ObjectReader.getInt(component.conf().get(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS), 0);
            NodeBuilder bolt = operator(id, parts.bolt(component, tickSecs)).parallelism(executors);
            if (parts.here()) {
                if (parts.ownThreads(component)) {
                    bolt.blocking();
                }
            } else if (layout.behind(id).size()
                    < 2) { // behind a union, which keeps it apart, and its thread is that one's
                bolt.blocking().isolate();
            }
            outlets.put(id, id);
        }
    }

    private void connect(Layout.Component component) {
        String id = component.id();
        Set<String> behind = layout.behind(id);
        if (behind.isEmpty()) {
            graph.source(id + "/nothing", parts.nothing()).parallelism(1);
            graph.connect(id + "/nothing", id).grouped(new Grouping.Direct());
            return;
        }
        String inlet = id;
        if (behind.size() > 1) {
            inlet = id + "/in";
            graph.operator(inlet, new NodeSpec.Union())
                    .as(parts.type())
                    .parallelism(component.executors().size());
            graph.connect(inlet, id).grouped(new Grouping.Forward());
        }
        for (String from : behind) {
            graph.connect(outlets.getOrDefault(from, from), inlet)
                    .side(new SideOutput<>(id, parts.type()))
                    .grouped(new Grouping.Direct());
        }
    }

    @SuppressWarnings("unchecked") // the graph holds records as Object
    private NodeBuilder operator(String name, OperatorSupplier<? extends Operator<T, T>> supplier) {
        return graph.operator(name, new NodeSpec.Process((OperatorSupplier<? extends Operator<Object, Object>>)
                        (OperatorSupplier<?>) supplier))
                .as(parts.type());
    }
}
