// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.run.FreePorts;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.daemon.nimbus.Nimbus;
import org.apache.storm.daemon.supervisor.Supervisor;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;
import org.yaml.snakeyaml.Yaml;

/**
 * {@code StormClusterProcess FOLDER WORKERS}: the main process of a {@link StormCluster}. It runs ZooKeeper, starts Nimbus and
 * the supervisor, and when it ends, all end.
 */
final class StormClusterProcess {
    /** Packages of the JDK that must be opened for Storm. */
    static final List<String> OPENS = List.of(
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=java.base/java.net=ALL-UNNAMED");

    private static final int WORKER_HEAP_MB = 512;

    private final Path home;
    private final int workers;
    private final int[] ports;
    private final Map<String, Object> settings = new HashMap<>();

    private StormClusterProcess(Path home, int workers) throws IOException {
        this.home = home;
        this.workers = workers;
        ports = FreePorts.find(2 + workers);
    }

    public static void main(String[] arguments) throws Exception {
        StormClusterProcess keeper = new StormClusterProcess(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
        try (ZooKeeper zooKeeper = new ZooKeeper(
                keeper.home.resolve("zookeeper-" + ProcessHandle.current().pid()), 0)) {
            keeper.run(zooKeeper);
        }
    }

    private void run(ZooKeeper zooKeeper) throws Exception {
        Path agent = home.resolve("agent.jar");
        LoopbackAgent.writeJar(agent);
        String agentOption =
                "-javaagent:" + agent + "=" + ProcessHandle.current().pid();
        configure(zooKeeper, agentOption + " " + String.join(" ", OPENS) + " -Xmx" + WORKER_HEAP_MB + "m");
        Process nimbus = daemon(Nimbus.class, agentOption);
        Process supervisor = daemon(Supervisor.class, agentOption);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            supervisor.descendants().forEach(ProcessHandle::destroyForcibly);
            supervisor.destroy();
            nimbus.destroy();
        }));
        while (!supervised()) {
            if (nimbus.waitFor(100, TimeUnit.MILLISECONDS) || !supervisor.isAlive()) {
                throw new IOException("Nimbus or the supervisor ended; see the logs in " + home);
            }
        }
        Path written = home.resolve(StormCluster.ADDRESS + ".tmp");
        Files.writeString(written, "127.0.0.1:" + ports[0]);
        Files.move(written, home.resolve(StormCluster.ADDRESS), StandardCopyOption.ATOMIC_MOVE);
        nimbus.waitFor();
        throw new IOException("Nimbus ended; see " + home.resolve("Nimbus.log"));
    }

    private Process daemon(Class<?> main, String agentOption) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add(agentOption);
        command.addAll(OPENS);
        command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-Dstorm.home=" + home, "-Dstorm.log.dir=" + home));
        String classPath = home.resolve("conf") + File.pathSeparator + StormCluster.classPathText();
        command.addAll(List.of("-cp", classPath, main.getName()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(home.resolve(main.getSimpleName() + ".log").toFile());
        builder.environment().put("STORM_CONF_DIR", home.resolve("conf").toString());
        return builder.start();
    }

    /** Writes the home directory and configuration that the daemons expect. */
    private void configure(ZooKeeper zooKeeper, String workerOptions) throws IOException {
        settings.putAll(zooKeeper.settings());
        settings.put(Config.STORM_LOCAL_HOSTNAME, "127.0.0.1");
        settings.put(Config.NIMBUS_SEEDS, List.of("127.0.0.1"));
        settings.put(Config.NIMBUS_THRIFT_PORT, ports[0]);
        Map<String, Object> daemon = new HashMap<>(settings);
        daemon.put(Config.SUPERVISOR_THRIFT_PORT, ports[1]);
        daemon.put(
                DaemonConfig.SUPERVISOR_SLOTS_PORTS,
                IntStream.range(0, workers).mapToObj(i -> ports[2 + i]).toList());
        daemon.put(
                Config.STORM_LOCAL_DIR,
                home.resolve("local-" + ProcessHandle.current().pid()).toString());
        daemon.put(DaemonConfig.STORM_LOG4J2_CONF_DIR, home.resolve("log4j2").toString());
        daemon.put(Config.TASK_REFRESH_POLL_SECS, 1);
        daemon.put(Config.EXECUTOR_METRICS_FREQUENCY_SECS, 5); // 60 by default, for which nobody waits on a trial
        daemon.put(Config.SUPERVISOR_WORKER_SHUTDOWN_SLEEP_SECS, 1);
        daemon.put(DaemonConfig.SUPERVISOR_MONITOR_FREQUENCY_SECS, 1);
        daemon.put(DaemonConfig.NIMBUS_MONITOR_FREQ_SECS, 1);
        daemon.put(DaemonConfig.STORM_DAEMON_METRICS_REPORTER_PLUGINS, List.of());
        daemon.put(Config.WORKER_CHILDOPTS, workerOptions);
        Files.createDirectories(home.resolve("conf"));
        Files.writeString(home.resolve("conf/storm.yaml"), new Yaml().dump(plain(daemon)));
        Files.createDirectories(home.resolve("log4j2"));
        try (InputStream log =
                Objects.requireNonNull(StormClusterProcess.class.getResourceAsStream("worker-log4j2.xml"))) {
            Files.copy(log, home.resolve("log4j2/worker.xml"), StandardCopyOption.REPLACE_EXISTING);
        }
        link(Files.createDirectories(home.resolve("lib-worker")));
    }

    /** The settings with plain lists, because Storm's YAML reader knows no others. */
    private static Map<String, Object> plain(Map<String, Object> daemon) {
        Map<String, Object> plain = new HashMap<>(daemon);
        plain.replaceAll((key, value) -> value instanceof List<?> list ? new ArrayList<>(list) : value);
        return plain;
    }

    /** Links Storm's jars of this JVM; the classes of Thalweg and of jobs come with each job. */
    private static void link(Path libWorker) throws IOException {
        for (Path entry : StormCluster.classPath()) {
            String name = entry.getFileName().toString();
            Path link = libWorker.resolve(name);
            if (name.endsWith(".jar") && !name.startsWith("thalweg-")) {
                Files.deleteIfExists(link);
                Files.createSymbolicLink(link, entry);
            }
        }
    }

    private boolean supervised() {
        try {
            new Socket(InetAddress.getLoopbackAddress(), ports[0]).close(); // the client is noisy when refused
            Map<String, Object> conf = Utils.readDefaultConfig();
            conf.putAll(settings);
            try (NimbusClient client = NimbusClient.Builder.withConf(conf).build()) {
                return client.getClient().getClusterInfo().get_supervisors_size() == 1;
            }
        } catch (Exception e) {
            return false; // not yet
        }
    }
}
