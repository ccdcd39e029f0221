// SPDX-License-Identifier: Apache-2.0
package io.thalweg.broker;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One or three real Kafka brokers, their own controllers, each in a process of its own that listens on the loopback alone. They end
 * with the process that started them, unless the setup says otherwise. One thread at a time may use it.
 *
 * <pre>{@code
 * try (TrialBroker broker = TrialBroker.start(folder, BrokerSetup.single())) {
 *     … new KafkaProducer<>(Map.of("bootstrap.servers", broker.address(), …)) …
 * }
 * }</pre>
 */
public final class TrialBroker implements AutoCloseable {
    private static final String CLUSTER = "cluster.properties";
    private static final String ID = "cluster.id";
    private static final String BROKERS = "brokers";

    /**
     * Below the ports that systems give away by themselves: while a broker is away, clients that try to reach it would be given its own
     * port sooner or later, and it could not come back.
     */
    private static final int LOWEST_PORT = 20_000;

    private static final int BEYOND_PORTS = 32_768;
    private static final int TRIES = 1_000;

    /** Given to brokers of this JVM: until one listens there, its port looks free. */
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private final List<BrokerNode> nodes;
    private final String classPath;
    private final String cluster;
    private final boolean outlives;
    private @Nullable TemporaryFolder temporary;

    private TrialBroker(List<BrokerNode> nodes, String classPath, String cluster, boolean outlives) {
        this.nodes = nodes;
        this.classPath = classPath;
        this.cluster = cluster;
        this.outlives = outlives;
    }

    /**
     * Starts brokers and waits until they accept connections. Their data go when they are closed, at the latest when this JVM ends
     * in good order; those of a JVM that was killed, the next call removes.
     */
    public static TrialBroker temporary(BrokerSetup setup) throws IOException, InterruptedException {
        TemporaryFolder folder = TemporaryFolder.create();
        try {
            TrialBroker broker = start(folder.path(), setup);
            broker.temporary = folder;
            Runtime.getRuntime().addShutdownHook(new Thread(broker::close, "removes a trial broker"));
            return broker;
        } catch (IOException | InterruptedException | RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    /** Starts brokers and waits until they accept connections, as the other method does. */
    public static TrialBroker start(Path folder, BrokerSetup setup) throws IOException, InterruptedException {
        return start(folder, setup, process -> {});
    }

    /**
     * Starts brokers with the data that the folder has, and waits until they accept connections. If one does not, none is left
     * running.
     *
     * @param folder for their data, settings and logs; made if it is not there
     * @param started hears of each process as soon as there is one
     * @throws IOException with the last line of its log, if one does not start; if the folder has the data of more brokers, or of
     *     fewer; if the broker's classes are not found
     */
    public static TrialBroker start(Path folder, BrokerSetup setup, Consumer<ProcessHandle> started)
            throws IOException, InterruptedException {
        return start(folder, setup, started, slow -> {});
    }

    /**
     * As the other method does, and says what it waits for.
     *
     * @param slow hears in a line of a broker that does not answer after some seconds, and where its log is
     */
    public static TrialBroker start(
            Path folder, BrokerSetup setup, Consumer<ProcessHandle> started, Consumer<String> slow)
            throws IOException, InterruptedException {
        String classPath = BrokerClassPath.find();
        Files.createDirectories(folder);
        int[] ports = ports(setup);
        String cluster = cluster(folder, setup.brokers());
        List<BrokerNode> nodes = new ArrayList<>();
        for (int i = 0; i < setup.brokers(); i++) {
            BrokerNode node = new BrokerNode(folder.resolve("broker-" + (i + 1)), ports[i]);
            node.configure(NodeSettings.of(setup, i + 1, ports, node.data()), setup.users());
            nodes.add(node);
        }
        TrialBroker broker = new TrialBroker(nodes, classPath, cluster, setup.outlives());
        broker.start(started, slow);
        return broker;
    }

    /** How many brokers have their data in a folder; 0 if none has. */
    public static int brokersIn(Path folder) throws IOException {
        Path file = folder.resolve(CLUSTER);
        if (!Files.exists(file)) {
            return 0;
        }
        try {
            return Integer.parseInt(read(file).getProperty(BROKERS, ""));
        } catch (NumberFormatException e) {
            throw new IOException(file + " does not say how many brokers there are; name another folder", e);
        }
    }

    /** {@code 127.0.0.1:PORT}, with commas between several. */
    public String address() {
        return nodes.stream().map(BrokerNode::address).collect(Collectors.joining(","));
    }

    /** Starts those that do not run again, with the data that they had, after {@link #stop} or {@link #kill}. */
    public void restart() throws IOException, InterruptedException {
        start(process -> {}, slow -> {});
    }

    private void start(Consumer<ProcessHandle> started, Consumer<String> slow)
            throws IOException, InterruptedException {
        try {
            for (BrokerNode node : nodes) {
                if (!node.isRunning()) {
                    started.accept(node.start(classPath, cluster, outlives).toHandle());
                }
            }
            for (BrokerNode node : nodes) {
                node.await(slow);
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Ends all in good order. */
    public void stop() throws InterruptedException {
        nodes.forEach(BrokerNode::stop);
        for (BrokerNode node : nodes) {
            node.awaitEnd();
        }
    }

    /** Ends all at once, as a power failure would. */
    public void kill() throws InterruptedException {
        nodes.forEach(BrokerNode::kill);
        for (BrokerNode node : nodes) {
            node.awaitEnd();
        }
    }

    /**
     * Ends one at once.
     *
     * @param id from 1 on, as Kafka calls the broker
     */
    public void kill(int id) throws InterruptedException {
        nodes.get(id - 1).kill();
        nodes.get(id - 1).awaitEnd();
    }

    /** Ends all at once, and does not wait for it unless their data go with them. */
    @Override
    public synchronized void close() {
        nodes.forEach(BrokerNode::kill);
        TemporaryFolder folder = temporary;
        temporary = null;
        if (folder != null) {
            try {
                kill();
                folder.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static String cluster(Path folder, int brokers) throws IOException {
        int there = brokersIn(folder);
        if (there != 0 && there != brokers) {
            throw new IOException(folder + " has the data of " + there + (there == 1 ? " broker" : " brokers")
                    + ", not of " + brokers + "; name another folder, or start as many");
        }
        Path file = folder.resolve(CLUSTER);
        if (there != 0) {
            return read(file).getProperty(ID, "");
        }
        Properties cluster = new Properties();
        cluster.setProperty(ID, newId());
        cluster.setProperty(BROKERS, Integer.toString(brokers));
        try (Writer writer = Files.newBufferedWriter(file)) {
            cluster.store(writer, null);
        }
        return cluster.getProperty(ID);
    }

    private static Properties read(Path file) throws IOException {
        Properties cluster = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            cluster.load(reader);
        }
        return cluster;
    }

    /** Kafka writes identifiers of clusters as 22 letters. */
    private static String newId() {
        UUID random = UUID.randomUUID();
        byte[] bytes = ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(random.getMostSignificantBits())
                .putLong(random.getLeastSignificantBits())
                .array();
        String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        return id.startsWith("-") ? newId() : id; // which Kafka's tool would take for an option
    }

    /** Of clients, of controllers, and of the brokers among themselves. */
    private static int[] ports(BrokerSetup setup) throws IOException {
        int brokers = setup.brokers();
        List<ServerSocket> held = new ArrayList<>();
        try {
            int[] ports = new int[NodeSettings.LISTENERS * brokers];
            for (int i = 0; i < ports.length; i++) {
                held.add(i < brokers && setup.port() != 0 ? bind(setup.port() + i) : bindAny());
                ports[i] = held.get(i).getLocalPort();
            }
            return ports;
        } finally {
            for (ServerSocket socket : held) {
                socket.close();
            }
        }
    }

    private static ServerSocket bindAny() throws IOException {
        if (GIVEN.size() > (BEYOND_PORTS - LOWEST_PORT) / 2) {
            GIVEN.clear(); // most of them have ended long ago
        }
        for (int tries = 0; tries < TRIES; tries++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, BEYOND_PORTS);
            if (!GIVEN.add(port)) {
                continue;
            }
            try {
                return bind(port);
            } catch (IOException e) {
                // somebody has it
            }
        }
        throw new IOException("no port from " + LOWEST_PORT + " to " + (BEYOND_PORTS - 1) + " of this machine is free");
    }

    private static ServerSocket bind(int port) throws IOException {
        try {
            return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new IOException("port " + port + " of this machine cannot be used: " + e.getMessage(), e);
        }
    }
}
