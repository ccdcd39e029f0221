// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.graph.GraphBuilder;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.graph.NodeBuilder;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorSupplier;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import io.thalweg.stormdoor.state.FileStateProvider;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * A topology that was written for Apache Storm, as a graph of Thalweg's.
 *
 * <pre>{@code
 * StormDoor door = StormDoor.of(builder.createTopology(), Map.of());
 * StormRun run = door.start(RunSettings.defaults());
 * …
 * run.kill(Duration.ofSeconds(30));
 * run.await();
 * }</pre>
 *
 * <p>Each executor of a spout or bolt becomes a task with a thread of its own, so one that blocks does not stall the others. Tuples are
 * handed over as they are, never serialized, as within a worker of Storm's: there is one worker, whatever {@code topology.workers} says.
 * Trident and DRPC are refused.
 *
 * <p>A door can be started once. Thread-safe.
 */
public final class StormDoor {
    /**
     * Option of a topology: a folder in which the state of its stateful bolts is kept, in a folder of the topology's name. It is
     * committed by Storm's checkpoints ({@code topology.state.checkpoint.interval.ms}), and is there again in the next run. It takes the
     * place of {@code topology.state.provider}.
     */
    public static final String STATE_DIRECTORY = "topology.state.directory";

    /** As many tuples may wait between two executors. */
    private static final int QUEUE = 1024;

    private final Host host;
    private final TopologyGraph graph;
    private boolean started;

    private StormDoor(Host host, TopologyGraph graph) {
        this.host = host;
        this.graph = graph;
    }

    /**
     * Translates a topology, named {@code storm}, whose classes the current thread's class loader finds.
     *
     * @param conf as {@code StormSubmitter} gets it; over Storm's defaults
     * @throws io.thalweg.api.graph.TopologyException if Storm would refuse the topology, or Thalweg does; one line that says why
     */
    public static StormDoor of(StormTopology topology, Map<String, Object> conf) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        return of("storm", topology, conf, null, loader == null ? ClassLoader.getSystemClassLoader() : loader);
    }

    /**
     * Translates a topology.
     *
     * @param name of the topology
     * @param conf as {@code StormSubmitter} gets it; over Storm's defaults
     * @param resources the folder that {@code TopologyContext.getCodeDir} returns, with the scripts of multilang components: what a jar has
     *     in {@code resources}; null for an empty one
     * @param loader finds the topology's classes
     * @throws io.thalweg.api.graph.TopologyException as there
     */
    public static StormDoor of(
            String name,
            StormTopology topology,
            Map<String, Object> conf,
            @Nullable Path resources,
            ClassLoader loader) {
        Map<String, Object> all = new HashMap<>(Utils.readStormConfig());
        all.putAll(conf);
        all.put(Config.TOPOLOGY_NAME, name);
        if (all.get(STATE_DIRECTORY) != null) {
            all.put(Config.TOPOLOGY_STATE_PROVIDER, FileStateProvider.class.getName());
        }
        Layout layout = new Layout(name, topology, all, loader);
        Host host = new Host(layout, resources, loader);
        return new StormDoor(host, graph(host));
    }

    /** The topology as a graph, which runs in this process only. */
    public TopologyGraph graph() {
        return graph;
    }

    /**
     * Runs it on the embedded engine.
     *
     * @param settings of which those for batches follow the topology's {@code topology.producer.batch.size}, 1 by default: a tuple is on
     *     its way when {@code emit} returns
     * @throws IllegalStateException if it was started before
     * @throws io.thalweg.api.graph.TopologyException if these settings cannot run it
     */
    public synchronized StormRun start(RunSettings settings) {
        if (started) {
            throw new IllegalStateException(
                    "topology '" + host.layout.name + "' was started before; make another door");
        }
        if (settings.checkpoints() != null) {
            throw host.layout.problem(
                    "",
                    "a Storm topology takes no checkpoints; its spouts replay, and its stateful bolts keep their state with "
                            + STATE_DIRECTORY);
        }
        started = true;
        int batch = Math.max(1, ObjectReader.getInt(host.layout.conf.get(Config.TOPOLOGY_PRODUCER_BATCH_SIZE), 1));
        int batches = Integer.highestOneBit(Math.max(4, QUEUE / batch));
        RunSettings its = settings.withSteps(0, batches, Math.min(batch, QUEUE));
        try {
            host.begin(settings.clock());
            return new StormRun(host, new EmbeddedRunner(its).start(graph));
        } catch (RuntimeException | Error e) {
            host.end();
            throw e;
        }
    }

    private static TopologyGraph graph(Host host) {
        Layout layout = host.layout;
        Handle handle = new Handle(host);
        GraphBuilder graph = GraphBuilder.named(layout.name);
        Map<String, String> outlets = new HashMap<>();
        for (Layout.Component component : layout.components.values()) {
            int executors = component.executors().size();
            String id = component.id();
            if (component.spout()) {
                graph.source(id, new SpoutSource(handle, id))
                        .parallelism(executors)
                        .blocking();
                if (!layout.ahead(id).isEmpty()) {
                    process(graph, id + "/out", new Fork.Supplier(handle, id))
                            .parallelism(executors)
                            .blocking(); // on the spout's thread
                    graph.connect(id, id + "/out").grouped(new Grouping.Forward());
                    outlets.put(id, id + "/out");
                }
            } else {
                int tickSecs = ObjectReader.getInt(component.conf().get(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS), 0);
                process(graph, id, new BoltOperator.Supplier(handle, id, tickSecs))
                        .parallelism(executors)
                        .blocking();
                outlets.put(id, id);
            }
        }
        for (Layout.Component component : layout.components.values()) {
            if (layout.ahead(component.id()).isEmpty()) { // a graph has no loose ends
                String id = component.id();
                int executors = component.executors().size();
                graph.sink(id + "/end", Sinks.<Message>discard()).parallelism(executors);
                graph.connect(id, id + "/end").grouped(new Grouping.Forward());
            }
            if (!component.spout()) {
                connect(graph, layout, handle, component, outlets);
            }
        }
        return graph.build();
    }

    private static void connect(
            GraphBuilder graph, Layout layout, Handle handle, Layout.Component component, Map<String, String> outlets) {
        String id = component.id();
        Set<String> behind = layout.behind(id);
        if (behind.isEmpty()) {
            graph.source(id + "/nothing", new Silence(handle)).parallelism(1);
            graph.connect(id + "/nothing", id).grouped(new Grouping.Direct());
            return;
        }
        String inlet = id;
        if (behind.size() > 1) {
            inlet = id + "/in";
            graph.operator(inlet, new NodeSpec.Union())
                    .as(Message.TYPE)
                    .parallelism(component.executors().size());
            graph.connect(inlet, id).grouped(new Grouping.Forward());
        }
        for (String from : behind) {
            graph.connect(outlets.getOrDefault(from, from), inlet)
                    .side(Message.towards(id))
                    .grouped(new Grouping.Direct());
        }
    }

    @SuppressWarnings("unchecked") // the graph holds records as Object
    private static NodeBuilder process(
            GraphBuilder graph, String name, OperatorSupplier<? extends Operator<Message, Message>> supplier) {
        return graph.operator(name, new NodeSpec.Process((OperatorSupplier<? extends Operator<Object, Object>>)
                        (OperatorSupplier<?>) supplier))
                .as(Message.TYPE);
    }
}
