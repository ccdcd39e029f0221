// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import io.thalweg.lab.driver.JavaProcess;
import io.thalweg.run.RunSettings;
import io.thalweg.run.TemporaryFolder;
import io.thalweg.storm.LoopbackAgent;
import io.thalweg.storm.StormRunner;
import io.thalweg.storm.ZooKeeper;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.StormSubmitter;
import org.apache.storm.daemon.nimbus.Nimbus;
import org.apache.storm.daemon.supervisor.Supervisor;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;
import org.yaml.snakeyaml.Yaml;

/**
 * A real cluster on this machine: nimbus and a supervisor, each a process, whose workers are processes too, with the options of
 * this JVM. ZooKeeper is in this one.
 */
final class RealCluster implements Cluster {
    private static final Duration START = Duration.ofMinutes(3);
    private static final Duration STOP = Duration.ofMinutes(2);

    private final TemporaryFolder folder = TemporaryFolder.make("lab-storm-");
    private final ZooKeeper zooKeeper;
    private final List<JavaProcess> daemons = new ArrayList<>();
    private final Map<String, Object> settings = new HashMap<>();
    private final int[] ports = JavaProcess.freePorts(6);

    RealCluster() throws Exception {
        Path home = Files.createDirectories(folder.path().resolve("storm"));
        zooKeeper = new ZooKeeper(folder.path().resolve("zookeeper"), 0);
        try {
            start(home);
        } catch (Exception e) {
            close();
            throw e;
        }
    }

    private void start(Path home) throws Exception {
        Path agent = home.resolve("agent.jar");
        LoopbackAgent.writeJar(agent);
        System.setProperty("storm.jar", agent.toString()); // any will do: the workers have the classes already
        String agentOption =
                "-javaagent:" + agent + "=" + ProcessHandle.current().pid();
        List<String> thisJvm = ManagementFactory.getRuntimeMXBean().getInputArguments();
        configure(home, agentOption + " " + String.join(" ", thisJvm));
        List<String> options = new ArrayList<>();
        options.add(agentOption);
        thisJvm.stream().filter(option -> option.startsWith("--add-opens")).forEach(options::add);
        options.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-Dstorm.home=" + home, "-Dstorm.log.dir=" + home));
        String classPath = home.resolve("conf") + File.pathSeparator + System.getProperty("java.class.path");
        Map<String, String> environment =
                Map.of("STORM_CONF_DIR", home.resolve("conf").toString());
        JavaProcess nimbus =
                JavaProcess.start("nimbus", home, environment, options, classPath, List.of(Nimbus.class.getName()));
        daemons.add(nimbus);
        JavaProcess supervisor = JavaProcess.start(
                "supervisor", home, environment, options, classPath, List.of(Supervisor.class.getName()));
        daemons.add(supervisor);
        nimbus.await(this::supervised, START);
    }

    /** Writes Storm's home as the daemons look for it. */
    private void configure(Path home, String workerOptions) throws IOException {
        settings.putAll(zooKeeper.settings());
        settings.put(Config.STORM_LOCAL_HOSTNAME, "127.0.0.1");
        settings.put(Config.NIMBUS_SEEDS, List.of("127.0.0.1"));
        settings.put(Config.NIMBUS_THRIFT_PORT, ports[0]);
        Map<String, Object> daemon = new HashMap<>(settings);
        daemon.put(Config.SUPERVISOR_THRIFT_PORT, ports[1]);
        // Four, so that a topology need not wait for the slots of the one before.
        daemon.put(DaemonConfig.SUPERVISOR_SLOTS_PORTS, List.of(ports[2], ports[3], ports[4], ports[5]));
        daemon.put(Config.STORM_LOCAL_DIR, home.resolve("local").toString());
        daemon.put(DaemonConfig.STORM_LOG4J2_CONF_DIR, home.resolve("log4j2").toString());
        daemon.put(Config.TASK_REFRESH_POLL_SECS, 1);
        daemon.put(Config.SUPERVISOR_WORKER_SHUTDOWN_SLEEP_SECS, 1);
        daemon.put(DaemonConfig.SUPERVISOR_MONITOR_FREQUENCY_SECS, 1);
        daemon.put(DaemonConfig.NIMBUS_MONITOR_FREQ_SECS, 1);
        daemon.put(DaemonConfig.STORM_SCHEDULER, TwoWorkers.class.getName());
        daemon.put(DaemonConfig.STORM_DAEMON_METRICS_REPORTER_PLUGINS, List.of());
        daemon.put(Config.WORKER_CHILDOPTS, workerOptions);
        Files.createDirectories(home.resolve("conf"));
        Files.writeString(home.resolve("conf/storm.yaml"), new Yaml().dump(daemon));
        Files.createDirectories(home.resolve("log4j2"));
        try (InputStream log = Objects.requireNonNull(RealCluster.class.getResourceAsStream("worker-log4j2.xml"))) {
            Files.copy(log, home.resolve("log4j2/worker.xml"));
        }
        link(Files.createDirectories(home.resolve("lib-worker")));
    }

    /** The class path of this JVM is that of the workers; Storm takes its jars from a folder, and folders by a setting. */
    private void link(Path libWorker) throws IOException {
        List<String> folders = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(entry).toAbsolutePath();
            if (Files.isDirectory(path)) {
                folders.add(path.toString());
            } else if (Files.exists(path)) {
                Files.createSymbolicLink(libWorker.resolve(path.getFileName()), path);
            }
        }
        settings.put(Config.TOPOLOGY_CLASSPATH, folders);
    }

    private boolean supervised() throws Exception {
        new Socket(InetAddress.getLoopbackAddress(), ports[0]).close(); // the client is noisy when refused
        try (NimbusClient client = client()) {
            return client.getClient().getClusterInfo().get_supervisors_size() == 1;
        }
    }

    private NimbusClient client() {
        Map<String, Object> conf = Utils.readDefaultConfig();
        conf.putAll(settings);
        return NimbusClient.Builder.withConf(conf).build();
    }

    @Override
    public void submit(String name, Config config, StormTopology topology) throws Exception {
        config.putAll(settings);
        StormSubmitter.submitTopology(name, config, topology);
    }

    /** What runs a topology of Thalweg on this cluster. */
    StormRunner runner(RunSettings settings) {
        return StormRunner.on("127.0.0.1:" + ports[0], settings);
    }

    /** What every topology must be told that runs here. */
    Map<String, Object> settings() {
        return Map.copyOf(settings);
    }

    /** Ends a topology, and waits until its workers have ended. */
    @Override
    public void kill(String name) throws Exception {
        try (NimbusClient client = client()) {
            KillOptions now = new KillOptions();
            now.set_wait_secs(0);
            client.getClient().killTopologyWithOpts(name, now);
        }
        daemons.get(1).await(() -> workers() == 0, STOP);
    }

    private long workers() {
        return ProcessHandle.of(daemons.get(1).pid()).stream()
                .flatMap(ProcessHandle::descendants)
                .count();
    }

    @Override
    public void close() {
        for (int i = daemons.size() - 1; i >= 0; i--) {
            daemons.get(i).close();
        }
        zooKeeper.close();
        folder.close();
    }
}
