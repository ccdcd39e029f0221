// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.Idle;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.run.SlowCallListener;
import io.thalweg.stormdoor.state.FileStateProvider;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
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
 * <p>Each executor of a spout or bolt becomes a task with a thread of its own, so one that blocks does not stall the others, unless they
 * {@linkplain #SHARED_THREADS share threads}. Tuples are
 * handed over as they are, never serialized, as within a worker of Storm's: there is one worker, whatever {@code topology.workers} says.
 * A Trident topology keeps its transactions in a ZooKeeper server that begins with it in this process, unless its conf names others, and
 * beyond its end only with {@link #STATE_DIRECTORY}. Calls of DRPC come from this process, by {@link DrpcCalls}. What needs no acks, state
 * or streams that lead back may run elsewhere, too: {@link #portable()}.
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

    /**
     * Option of a topology: a number of threads that all its executors share, where otherwise each has its own. Where there are more
     * executors than cores, and calls are short, that is faster: a tuple that is handed over to an executor of the same thread wakes
     * nobody. An executor whose calls have taken more than 100 ms three times within a minute gets a thread of its own, and one that talks to a child process has
     * it from the beginning; until then, a call that takes long keeps the other executors of its thread waiting. So no component may
     * wait in a call for another one. Of the embedded engine only.
     */
    public static final String SHARED_THREADS = "topology.shared.threads";

    /** As many tuples may wait between two executors. */
    private static final int QUEUE = 1024;

    private final Host host;
    private final StormTopology topology;
    private final @Nullable Path resources;
    private final TopologyGraph graph;

    /** Options without effect. */
    private final List<String> idle;

    private boolean started;

    private StormDoor(Host host, StormTopology topology, @Nullable Path resources, List<String> idle) {
        this.host = host;
        this.idle = idle;
        this.topology = topology;
        this.resources = resources;
        graph = DoorGraph.of(host.layout, new EmbeddedParts(new HostHandle(host)));
    }

    /**
     * Translates a topology, named {@code storm}, whose classes the current thread's class loader finds.
     *
     * @param conf as {@code StormSubmitter} gets it; over Storm's defaults
     * @throws TopologyException if Storm would refuse the topology, or Thalweg does; one line that says why
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
     * @throws TopologyException as there
     */
    public static StormDoor of(
            String name,
            StormTopology topology,
            Map<String, Object> conf,
            @Nullable Path resources,
            ClassLoader loader) {
        String problem = StormOptions.problem(conf);
        if (problem != null) {
            throw new TopologyException(name, "", "Storm refuses its configuration: " + problem);
        }
        Map<String, Object> all = new HashMap<>(Utils.readStormConfig());
        List<String> idle = StormOptions.withoutEffect(conf, all);
        all.putAll(conf);
        all.put(Config.TOPOLOGY_NAME, name);
        if (all.get(STATE_DIRECTORY) != null) {
            all.put(Config.TOPOLOGY_STATE_PROVIDER, FileStateProvider.class.getName());
        }
        Layout layout = new Layout(name, topology, all, loader);
        return new StormDoor(new Host(layout, resources, loader), topology, resources, idle);
    }

    /**
     * A line that names the options of the topology that have no effect here; null if it has none of those. Where it runs in this process,
     * the warnings of the settings get it.
     */
    public @Nullable String withoutEffect() {
        return idle.isEmpty()
                ? null
                : "topology '" + host.layout.name + "' sets " + String.join(", ", idle)
                        + (idle.size() == 1 ? ", which has no effect here" : ", which have no effect here");
    }

    /** The topology as a graph, which runs in this process only. */
    public TopologyGraph graph() {
        return graph;
    }

    /**
     * The topology as a graph whose tasks may be in several processes, for Flink above all. Tuples are serialized as Storm does between
     * workers. Nothing is acked or sent again: what is on its way when the job ends or fails is lost. It runs until the job is cancelled;
     * spouts are deactivated and closed then, and bolts cleaned up.
     *
     * @throws TopologyException if the topology needs acks, has stateful bolts or a stream that leads back; the
     *     message names it, and says what to do
     */
    public TopologyGraph portable() {
        return graph(portableTopology());
    }

    private PortableTopology portableTopology() {
        PortableParts.check(host.layout, host.loader);
        return new PortableTopology(host.layout, topology, resources, host.loader);
    }

    private TopologyGraph graph(PortableTopology its) {
        return DoorGraph.of(host.layout, new PortableParts(host.layout, its));
    }

    /**
     * Has the spouts begin deactivated, as those of a topology that Storm is given as {@code INACTIVE}: they are opened, and asked for
     * tuples only after {@link StormRun#activate}.
     *
     * @throws IllegalStateException if it was started before
     */
    public synchronized void deactivate() {
        checkNotStarted();
        host.activate(false);
    }

    /**
     * Runs it elsewhere, as {@link #portable()}: {@code door.start(FlinkRunner.on("localhost:8081", settings, jars))}.
     *
     * @param runner whose settings give no guarantee, since spouts cannot be read again
     * @throws IllegalStateException if it was started before
     * @throws TopologyException as there, if it is {@linkplain #deactivate deactivated}, or if the runner cannot run it
     */
    public synchronized StormRun start(Runner runner) {
        checkNotStarted();
        if (!host.active()) {
            throw host.layout.problem(
                    "",
                    "it is to begin deactivated, and where it is to run, its spouts cannot be activated; run it in this process");
        }
        PortableTopology its = portableTopology();
        TopologyGraph scattered = graph(its);
        started = true;
        return new ScatteredRun(its.id(), host.layout, runner.start(scattered));
    }

    private int executors() {
        return host.layout.components.values().stream()
                .mapToInt(each -> each.executors().size())
                .sum();
    }

    private static SlowCallListener tellOfSlowCalls(Consumer<String> warnings) {
        return new SlowCallListener() {
            @Override
            public void slow(String topology, String task, String where) {
                String executor = task.replaceFirst("\\+[^+]*/(out|end)(?=\\[)", ""); // what the graph adds
                warnings.accept("topology '" + topology + "': a call of " + executor + " has taken more than a second"
                        + (where.isEmpty() ? "" : ", at " + where)
                        + "; the other executors of its thread wait until it ends, and if it waits for one of them, for ever:"
                        + " without " + SHARED_THREADS + " each has a thread of its own");
            }

            @Override
            public void opening(String topology, String task, String where) {
                // no executor has anything to do before all are open
            }
        };
    }

    /** The engine names an option of its own command line. */
    private static String inWordsOfStorm(String line) {
        return line.replace("--stop-timeout waits longer", "--wait (from Java, StormRun.stop) waits longer");
    }

    private void checkNotStarted() {
        if (started) {
            throw new IllegalStateException(
                    "topology '" + host.layout.name + "' was started before; make another door");
        }
    }

    /**
     * Runs it on the embedded engine.
     *
     * @param settings of which those for batches follow the topology's {@code topology.producer.batch.size}, 1 by default: a tuple is on
     *     its way when {@code emit} returns. The number of threads is that of {@link #SHARED_THREADS}, if the topology has it. Where
     *     each executor has its own, and there are more of them than cores, threads park at once ({@link Idle#PARK}) instead
     *     of what is the default.
     * @throws IllegalStateException if it was started before
     * @throws TopologyException if these settings cannot run it
     */
    public synchronized StormRun start(RunSettings settings) {
        checkNotStarted();
        if (settings.checkpoints() != null) {
            throw host.layout.problem(
                    "",
                    "a Storm topology takes no checkpoints; its spouts replay, and its stateful bolts keep their state with "
                            + STATE_DIRECTORY);
        }
        started = true;
        int batch = Math.max(1, ObjectReader.getInt(host.layout.conf.get(Config.TOPOLOGY_PRODUCER_BATCH_SIZE), 1));
        int batches = Integer.highestOneBit(Math.max(4, QUEUE / batch));
        RunSettings its = settings.withSteps(0, batches, Math.min(batch, QUEUE))
                .withWarnings(line -> settings.warnings().accept(inWordsOfStorm(line)));
        int shared = host.layout.sharedThreads;
        if (shared > 0) {
            its = its.withThreads(shared);
            if (its.slowCalls() == SlowCallListener.NONE) {
                its = its.withSlowCalls(tellOfSlowCalls(settings.warnings()));
            }
        } else if (its.idle() == Idle.BALANCED
                && executors() > Runtime.getRuntime().availableProcessors()) {
            its = its.withIdle(Idle.PARK); // a thread that polls would keep others from a core
        }
        try {
            var unused = host.prepare();
            String withoutEffect = withoutEffect();
            if (withoutEffect != null) {
                settings.warnings().accept(withoutEffect);
            }
            host.begin(settings.clock(), settings.warnings());
            EmbeddedRun run = new EmbeddedRun(host, new EmbeddedRunner(its).start(graph));
            if (!host.layout.functions.isEmpty()) {
                run.watch();
            }
            return run;
        } catch (RuntimeException | Error e) {
            host.end();
            throw e;
        }
    }
}
