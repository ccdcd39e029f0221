// SPDX-License-Identifier: Apache-2.0
package io.thalweg.broker;

import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One Kafka broker, its own controller, in a process of its own that listens on the loopback alone. It ends with the process that
 * started it. One thread at a time may use it.
 *
 * <pre>{@code
 * try (TrialBroker broker = TrialBroker.start(folder, classPath)) {
 *     … new KafkaProducer<>(Map.of("bootstrap.servers", broker.address(), …)) …
 * }
 * }</pre>
 */
public final class TrialBroker implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final Duration LONGEST_START = Duration.ofMinutes(3);
    private static final Duration LONGEST_STOP = Duration.ofSeconds(30);
    private static final long LOOK_AGAIN_MS = 50;
    private static final int ANSWER_MS = 1_000;

    /** A broker for trying needs little memory, and its start counts more than its speed. */
    private static final List<String> JVM =
            List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.awt.headless=true");

    private final Path folder;
    private final int port;
    private final String classPath;
    private final String cluster = clusterId();
    private @Nullable Process process;

    private TrialBroker(Path folder, int port, String classPath) {
        this.folder = folder;
        this.port = port;
        this.classPath = classPath;
    }

    /**
     * Starts a broker on a free port and waits until it accepts connections.
     *
     * @param folder for its data, settings and log; made if it is not there
     * @param classPath of Kafka's broker
     * @throws IOException with the last line of its log, if it does not start
     */
    public static TrialBroker start(Path folder, String classPath) throws IOException, InterruptedException {
        int[] ports = freePorts();
        TrialBroker broker = new TrialBroker(Files.createDirectories(folder), ports[0], classPath);
        broker.configure(ports[1]);
        broker.restart();
        return broker;
    }

    /** {@code 127.0.0.1:PORT}. */
    public String address() {
        return HOST + ":" + port;
    }

    /** Starts it again, with the data that it had, after {@link #stop} or {@link #kill}. */
    public void restart() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.add("-cp");
        command.add(classPath + File.pathSeparator + ownPlace());
        command.add("io.thalweg.broker.BrokerMain");
        command.addAll(List.of(settings().toString(), cluster, "tethered"));
        Process started = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                .start();
        process = started;
        long looks = LONGEST_START.toMillis() / LOOK_AGAIN_MS;
        while (!answers()) {
            if (started.waitFor(LOOK_AGAIN_MS, TimeUnit.MILLISECONDS)) {
                throw new IOException("the broker ended with code " + started.exitValue() + ": " + lastLine());
            }
            if (looks-- == 0) {
                close();
                throw new IOException("the broker did not answer within " + LONGEST_START + ": " + lastLine());
            }
        }
    }

    /** Ends it in good order. */
    public void stop() throws IOException, InterruptedException {
        Process running = process;
        if (running != null) {
            running.destroy();
            if (!running.waitFor(LONGEST_STOP.toMillis(), TimeUnit.MILLISECONDS)) {
                close();
            }
        }
    }

    /** Ends it at once, as a power failure would. */
    public void kill() throws InterruptedException {
        Process running = process;
        if (running != null) {
            running.destroyForcibly().waitFor();
        }
    }

    @Override
    public void close() {
        Process running = process;
        if (running != null) {
            running.destroyForcibly();
        }
    }

    private Path settings() {
        return folder.resolve("server.properties");
    }

    private Path log() {
        return folder.resolve("broker.log");
    }

    private void configure(int controllerPort) throws IOException {
        Properties server = new Properties();
        server.put("process.roles", "broker,controller");
        server.put("node.id", "1");
        server.put("listeners", "PLAINTEXT://" + address() + ",CONTROLLER://" + HOST + ":" + controllerPort);
        server.put("controller.listener.names", "CONTROLLER");
        server.put("controller.quorum.voters", "1@" + HOST + ":" + controllerPort);
        server.put("log.dirs", folder.resolve("data").toString());
        server.put("auto.create.topics.enable", "false");
        server.put("group.initial.rebalance.delay.ms", "0");
        for (String topic : List.of("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
            server.put(topic + ".replication.factor", "1");
            server.put(topic + ".num.partitions", "1");
        }
        server.put("transaction.state.log.min.isr", "1");
        server.put("share.coordinator.state.topic.min.isr", "1");
        try (Writer writer = Files.newBufferedWriter(settings())) {
            server.store(writer, null);
        }
    }

    private boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), ANSWER_MS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** The last line of its log that is not a place in a stack trace: mostly why it ended. */
    private String lastLine() throws IOException {
        String last = "it printed nothing";
        for (String line : Files.readAllLines(log())) {
            if (!line.isBlank() && !line.startsWith("\tat ")) {
                last = line.strip();
            }
        }
        return last;
    }

    /** Kafka writes identifiers of clusters as 22 letters. */
    private static String clusterId() {
        UUID random = UUID.nameUUIDFromBytes("thalweg".getBytes(StandardCharsets.UTF_8));
        byte[] bytes = ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(random.getMostSignificantBits())
                .putLong(random.getLeastSignificantBits())
                .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static int[] freePorts() throws IOException {
        try (ServerSocket one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new int[] {one.getLocalPort(), other.getLocalPort()};
        }
    }

    private static String ownPlace() throws IOException {
        try {
            return Path.of(TrialBroker.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }
}
