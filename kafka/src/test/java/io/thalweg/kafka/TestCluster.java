// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.broker.TrialBroker;
import io.thalweg.testkit.FreePort;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.producer.KafkaProducer;

/** Some brokers, each in a process of its own that ends with this one, with settings of one's choice. */
final class TestCluster implements AutoCloseable {
    private static final String CLUSTER = "AAAAAAAAAAAAAAAAAAAAAA";
    private static final int LOOK_AGAIN_NS = 200_000_000;
    private static final int LOOKS = 3_000;

    private final Path folder;
    private final int[] ports;
    private final Map<Integer, Process> processes = new HashMap<>();

    private TestCluster(Path folder, int[] ports) {
        this.folder = folder;
        this.ports = ports;
    }

    /** @param more settings of all of them */
    static TestCluster start(Path folder, int brokers, Map<String, String> more) throws Exception {
        TestCluster cluster = new TestCluster(
                folder,
                IntStream.generate(FreePort::find)
                        .distinct()
                        .limit(2L * brokers)
                        .toArray());
        try {
            for (int id = 1; id <= brokers; id++) {
                cluster.configure(id, brokers, more);
                cluster.start(id);
            }
            cluster.await(brokers);
        } catch (Exception e) {
            cluster.close();
            throw e;
        }
        return cluster;
    }

    String address() {
        return IntStream.rangeClosed(1, ports.length / 2)
                .mapToObj(id -> "127.0.0.1:" + ports[id - 1])
                .collect(Collectors.joining(","));
    }

    Admin admin() {
        return TestBroker.patientAdmin(address());
    }

    KafkaProducer<byte[], byte[]> producer() {
        return TestBroker.patientProducer(address());
    }

    /** Of one broker, by its number from 1 on. */
    void kill(int id) throws InterruptedException {
        processes.get(id).destroyForcibly().waitFor();
    }

    void start(int id) throws Exception {
        Path own = Path.of(TrialBroker.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        String classPath = Files.readString(Path.of("..", "kafka-broker", "target", "class-path"));
        Path of = folder.resolve(String.valueOf(id));
        processes.put(
                id,
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-Xmx384m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                classPath + File.pathSeparator + own,
                                "io.thalweg.broker.BrokerMain",
                                of.resolve("server.properties").toString(),
                                CLUSTER,
                                "tethered")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(
                                of.resolve("broker.log").toFile()))
                        .start());
    }

    private void configure(int id, int brokers, Map<String, String> more) throws IOException, URISyntaxException {
        int controllers = ports.length / 2;
        Properties server = new Properties();
        server.put("process.roles", "broker,controller");
        server.put("node.id", String.valueOf(id));
        server.put(
                "listeners",
                "PLAINTEXT://127.0.0.1:" + ports[id - 1] + ",CONTROLLER://127.0.0.1:" + ports[controllers + id - 1]);
        server.put("controller.listener.names", "CONTROLLER");
        server.put(
                "controller.quorum.voters",
                IntStream.rangeClosed(1, brokers)
                        .mapToObj(each -> each + "@127.0.0.1:" + ports[controllers + each - 1])
                        .collect(Collectors.joining(",")));
        Path of = Files.createDirectories(folder.resolve(String.valueOf(id)));
        server.put("log.dirs", of.resolve("data").toString());
        server.put("auto.create.topics.enable", "false");
        // On a busy machine a broker may be silent for seconds, and one that is given up loses its partitions.
        server.put("broker.session.timeout.ms", "20000");
        server.put("initial.broker.registration.timeout.ms", "600000");
        server.put("broker.heartbeat.interval.ms", "500");
        server.put("controller.quorum.fetch.timeout.ms", "6000");
        server.put("controller.quorum.election.timeout.ms", "3000");
        for (String topic : List.of("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
            server.put(topic + ".replication.factor", String.valueOf(brokers));
            server.put(topic + ".num.partitions", "1");
        }
        server.put("transaction.state.log.min.isr", String.valueOf(Math.min(2, brokers)));
        server.put("share.coordinator.state.topic.min.isr", "1");
        server.putAll(more);
        try (Writer writer = Files.newBufferedWriter(of.resolve("server.properties"))) {
            server.store(writer, null);
        }
    }

    /** Until so many brokers answer. */
    private void await(int brokers) throws Exception {
        try (Admin admin = admin()) {
            int looks = LOOKS;
            while (alive(admin) < brokers) {
                if (looks-- == 0) {
                    throw new IllegalStateException("not all of " + brokers + " brokers have started in " + folder);
                }
                LockSupport.parkNanos(LOOK_AGAIN_NS);
            }
        }
    }

    private static int alive(Admin admin) throws InterruptedException {
        try {
            return admin.describeCluster(new DescribeClusterOptions().timeoutMs(5_000))
                    .nodes()
                    .get()
                    .size();
        } catch (ExecutionException e) {
            return 0;
        }
    }

    @Override
    public void close() {
        processes.values().forEach(Process::destroyForcibly);
        processes.values().forEach(process -> process.onExit().join()); // they write into the folder, which is deleted
    }
}
