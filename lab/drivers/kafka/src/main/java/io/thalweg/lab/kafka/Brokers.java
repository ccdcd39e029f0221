// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.kafka;

import io.thalweg.lab.driver.JavaProcess;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Uuid;

/** A cluster of one or more brokers, each a controller too, each in a process of its own, with their data in a temporary folder. */
final class Brokers implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final Duration START = Duration.ofMinutes(2);
    private static final int LARGEST_MESSAGE = 32 << 20;

    /** Those of Kafka's own start script. */
    private static final List<String> JVM = List.of(
            "-Xms1g",
            "-Xmx1g",
            "-XX:+UseG1GC",
            "-XX:MaxGCPauseMillis=20",
            "-XX:InitiatingHeapOccupancyPercent=35",
            "-XX:+ExplicitGCInvokesConcurrent",
            "-Djava.awt.headless=true");

    private final Path folder;
    private final List<JavaProcess> processes;
    private final String addresses;
    private final Admin admin;

    private Brokers(Path folder, List<JavaProcess> processes, String addresses) {
        this.folder = folder;
        this.processes = processes;
        this.addresses = addresses;
        this.admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, addresses));
    }

    /** Starts that many brokers and waits until all have joined. */
    static Brokers start(int count) throws IOException, InterruptedException {
        int[] ports = JavaProcess.freePorts(2 * count);
        String cluster = Uuid.randomUuid().toString();
        String voters = IntStream.range(0, count)
                .mapToObj(i -> i + "@" + HOST + ":" + ports[count + i])
                .collect(Collectors.joining(","));
        String addresses =
                IntStream.range(0, count).mapToObj(i -> HOST + ":" + ports[i]).collect(Collectors.joining(","));
        Path folder = Files.createTempDirectory("thalweg-kafka-");
        List<JavaProcess> processes = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                Path home = Files.createDirectory(folder.resolve("broker-" + i));
                processes.add(start(home, i, ports[i], ports[count + i], voters, cluster));
            }
            for (int i = 0; i < count; i++) {
                int port = ports[i];
                processes.get(i).await(() -> answers(port), START);
            }
        } catch (IOException | InterruptedException e) {
            stop(processes, folder);
            throw e;
        }
        Brokers brokers = new Brokers(folder, processes, addresses);
        try {
            processes.get(0).await(() -> brokers.joined() == count, START);
        } catch (IOException | InterruptedException e) {
            brokers.close();
            throw e;
        }
        return brokers;
    }

    private static JavaProcess start(Path home, int id, int port, int controllerPort, String voters, String cluster)
            throws IOException {
        Properties server = new Properties();
        server.putAll(Map.of(
                "process.roles",
                "broker,controller",
                "node.id",
                "" + id,
                "listeners",
                "PLAINTEXT://" + HOST + ":" + port + ",CONTROLLER://" + HOST + ":" + controllerPort,
                "controller.listener.names",
                "CONTROLLER",
                "controller.quorum.voters",
                voters,
                "log.dirs",
                home.resolve("data").toString(),
                "auto.create.topics.enable",
                "false",
                "group.initial.rebalance.delay.ms",
                "0",
                "message.max.bytes",
                "" + LARGEST_MESSAGE,
                "replica.fetch.max.bytes",
                "" + LARGEST_MESSAGE));
        for (String topic : List.of("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
            server.put(topic + ".replication.factor", "1");
            server.put(topic + ".num.partitions", "1");
        }
        server.put("transaction.state.log.min.isr", "1");
        server.put("share.coordinator.state.topic.min.isr", "1");
        Path file = home.resolve("server.properties");
        try (Writer writer = Files.newBufferedWriter(file)) {
            server.store(writer, null);
        }
        return JavaProcess.start(
                "broker-" + id,
                home,
                Map.of(),
                JVM,
                System.getProperty("java.class.path"),
                List.of(BrokerMain.class.getName(), cluster, file.toString()));
    }

    private static boolean answers(int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        }
    }

    private int joined() throws Exception {
        return admin.describeCluster().nodes().get(5, TimeUnit.SECONDS).size();
    }

    int count() {
        return processes.size();
    }

    /** Where clients find the brokers. */
    String addresses() {
        return addresses;
    }

    Admin admin() {
        return admin;
    }

    /** Room for more records, in bytes. */
    long room() throws IOException {
        return Files.getFileStore(folder).getUsableSpace();
    }

    boolean allAlive() {
        return processes.stream().allMatch(JavaProcess::isAlive);
    }

    /**
     * @throws IOException if one of them is no longer there
     */
    void check() throws IOException {
        for (JavaProcess process : processes) {
            if (!process.isAlive()) {
                throw new IOException("a Kafka broker has ended: " + process.lastLine());
            }
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
        stop(processes, folder);
    }

    private static void stop(List<JavaProcess> processes, Path folder) {
        processes.parallelStream().forEach(JavaProcess::close);
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            System.err.println("cannot delete " + folder + ": " + e);
        }
    }
}
