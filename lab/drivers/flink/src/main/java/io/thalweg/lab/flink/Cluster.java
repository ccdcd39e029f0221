// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.Timing;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.flink.ClusterKeys;
import io.thalweg.flink.FlinkCluster;
import io.thalweg.flink.FlinkRunner;
import io.thalweg.lab.driver.JavaProcess;
import io.thalweg.run.RunSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.api.common.operators.SlotSharingGroup;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint;
import org.apache.flink.runtime.taskexecutor.TaskManagerRunner;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A standalone session cluster on this machine: a JobManager and two TaskManagers, with this JVM's class path. Each TaskManager
 * offers an external resource of its own name, and each of a job's two slot sharing groups asks for one of them: that is how
 * Flink is told which process runs what, however many tasks there are. Or a JobManager and one TaskManager that runs everything and
 * is replaced when it has ended: as an orchestrator does, by another one of another name.
 */
final class Cluster implements AutoCloseable {
    /** The TaskManager that runs the sources, and with them perhaps the sinks, and its slot sharing group. */
    static final String SOURCES = "sources";

    /** The TaskManager that runs everything else, and its slot sharing group. */
    static final String RELAYS = "relays";

    private static final String HOST = "127.0.0.1";
    private static final Duration START = Duration.ofMinutes(2);
    private static final int SLOTS = 32;

    private final List<JavaProcess> processes = new ArrayList<>();
    private final Path home;
    private final int restPort;
    private final int rpcPort;
    private final Map<String, String> options;
    private final ClusterKeys keys;
    private final HttpClient client;
    private final int slotsOfWorker;
    private int workers;

    private Cluster(Path home, int restPort, int rpcPort, ClusterKeys keys, int slotsOfWorker) {
        this.home = home;
        this.restPort = restPort;
        this.rpcPort = rpcPort;
        this.slotsOfWorker = slotsOfWorker;
        this.keys = keys;
        this.client = keys.client().build();
        this.options = keys.options();
        options.put("taskmanager.data.ssl.enabled", "false"); // measured as it comes: records are not encrypted
    }

    /** Starts the three processes and waits until both TaskManagers are registered. */
    static Cluster start() throws IOException, InterruptedException {
        return start(0, Map.of());
    }

    /** Starts a JobManager and the TaskManager that is replaced, and waits until it is registered. */
    static Cluster startWithOneWorker(int slots, Map<String, String> more) throws IOException, InterruptedException {
        return start(slots, more);
    }

    private static Cluster start(int slotsOfWorker, Map<String, String> more) throws IOException, InterruptedException {
        int[] ports = JavaProcess.freePorts(2);
        Path home = Files.createTempDirectory("thalweg-flink-");
        Cluster cluster = new Cluster(home, ports[0], ports[1], ClusterKeys.make(home), slotsOfWorker);
        cluster.options.putAll(more);
        try {
            JavaProcess jobManager = cluster.daemon(
                    "jobmanager",
                    StandaloneSessionClusterEntrypoint.class,
                    List.of("-Xmx512m", "-XX:TieredStopAtLevel=1"),
                    Map.of());
            List<JavaProcess> taskManagers = slotsOfWorker > 0
                    ? List.of(cluster.worker())
                    : List.of(cluster.taskManager(SOURCES), cluster.taskManager(RELAYS));
            jobManager.await(() -> cluster.overview().contains("\"taskmanagers\":"), START);
            String all = "\"taskmanagers\":" + taskManagers.size();
            for (JavaProcess each : taskManagers) {
                each.await(() -> cluster.overview().contains(all), START);
            }
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** Where a job is described that shall run on this cluster. */
    StreamExecutionEnvironment environment(Configuration ofJob) {
        Configuration all = new Configuration(ofJob);
        options.forEach(all::setString);
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createRemoteEnvironment(HOST, restPort, all);
        if (slotsOfWorker == 0) {
            environment.registerSlotSharingGroup(slots(SOURCES));
            environment.registerSlotSharingGroup(slots(RELAYS));
        }
        return environment;
    }

    /** What runs a topology of Thalweg on this cluster, with its stages where the cell has them. */
    FlinkRunner runner(RunSettings settings, TopologyGraph graph, Layout layout) {
        Map<String, SlotSharingGroup> groups = new TreeMap<>();
        for (Node node : graph.nodes()) {
            NodeSpec spec = node.spec();
            boolean ofSource = spec.source() != null || spec.timing() == Timing.ASSIGNS;
            groups.put(node.name(), slots(ofSource ? SOURCES : spec.sink() != null ? layout.groupOfSinks() : RELAYS));
        }
        return FlinkRunner.on(HOST + ":" + restPort, settings, keys).withSlotSharing(groups);
    }

    private static SlotSharingGroup slots(String taskManager) {
        return SlotSharingGroup.newBuilder(taskManager)
                .setCpuCores(1)
                .setTaskHeapMemoryMB(1)
                .setManagedMemoryMB(1)
                .setExternalResource(taskManager, 1)
                .build();
    }

    boolean isUp() {
        return processes.stream().allMatch(JavaProcess::isAlive);
    }

    /** The process of the TaskManager that runs everything. */
    long pidOfWorker() {
        return processes.get(processes.size() - 1).pid();
    }

    /** Starts another TaskManager if the last one has ended. */
    void replaceEndedWorker() throws IOException {
        if (!processes.get(processes.size() - 1).isAlive()) {
            worker();
        }
    }

    private JavaProcess worker() throws IOException {
        return taskManager(
                "worker-" + ++workers, Map.of("taskmanager.numberOfTaskSlots", Integer.toString(slotsOfWorker)));
    }

    private JavaProcess taskManager(String name) throws IOException {
        return taskManager(
                name,
                Map.of("external-resources", name, "external-resource." + name + ".amount", Integer.toString(SLOTS)));
    }

    /** A TaskManager that is not started by Flink's scripts must be told every part of its memory. */
    private JavaProcess taskManager(String name, Map<String, String> more) throws IOException {
        Map<String, String> options = new TreeMap<>(more);
        options.put("taskmanager.resource-id", name);
        options.put("taskmanager.cpu.cores", SLOTS + ".0");
        options.put("taskmanager.memory.task.heap.size", "1920m");
        options.put("taskmanager.memory.task.off-heap.size", "0m");
        options.put("taskmanager.memory.framework.heap.size", "128m");
        options.put("taskmanager.memory.framework.off-heap.size", "128m");
        options.put("taskmanager.memory.managed.size", "64m");
        options.put("taskmanager.memory.network.min", "256m");
        options.put("taskmanager.memory.network.max", "256m");
        options.put("taskmanager.memory.jvm-metaspace.size", "256m");
        options.put("taskmanager.memory.jvm-overhead.min", "256m");
        options.put("taskmanager.memory.jvm-overhead.max", "256m");
        return daemon(name, TaskManagerRunner.class, List.of("-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch"), options);
    }

    private JavaProcess daemon(String name, Class<?> main, List<String> memory, Map<String, String> more)
            throws IOException {
        Path folder = Files.createDirectory(home.resolve(name));
        Map<String, String> all = new TreeMap<>(more);
        all.putAll(options);
        all.putAll(FlinkCluster.addresses(restPort, rpcPort));
        all.put("io.tmp.dirs", folder.toString());
        List<String> lines = new ArrayList<>();
        all.forEach((option, value) -> lines.add(option + ": " + value));
        Files.write(folder.resolve("config.yaml"), lines);
        List<String> jvm = new ArrayList<>(FlinkCluster.OPENS);
        jvm.addAll(memory);
        JavaProcess process = JavaProcess.start(
                name,
                folder,
                Map.of(),
                jvm,
                System.getProperty("java.class.path"),
                List.of(main.getName(), "--configDir", folder.toString()));
        processes.add(process);
        return process;
    }

    private String overview() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://" + HOST + ":" + restPort + "/overview"))
                .timeout(Duration.ofSeconds(5))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    @Override
    public void close() throws IOException {
        for (int i = processes.size() - 1; i >= 0; i--) {
            processes.get(i).close();
        }
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
