// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jet;

import com.hazelcast.cluster.Address;
import com.hazelcast.cluster.Member;
import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.config.SerializerConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.jet.config.EdgeConfig;
import com.hazelcast.nio.serialization.Serializer;
import com.hazelcast.spi.properties.ClusterProperty;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Cell.Waiting;
import io.thalweg.lab.driver.GroupBy;
import io.thalweg.lab.driver.JavaProcess;
import io.thalweg.lab.driver.Load;
import io.thalweg.lab.driver.Message;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A member in this JVM, and with it, for cells of two processes and those whose worker the lab kills, one in a JVM of its own. They
 * listen on the loopback alone.
 */
final class Members implements AutoCloseable {
    private static final String HOST = "127.0.0.1";

    static final String QUEUE_SIZE = "jet.queue-size";

    /**
     * Of the Kafka source alone, the one processor here that is not cooperative. It polls without waiting, so what comes in between two
     * polls is no more than the socket holds, and after a poll that found no whole answer it sleeps: by default up to 5 ms.
     */
    private static final String LONGEST_SLEEP_US = "25";

    /** Less, or Jet warns; by default it is as much. */
    private static final String SHORTEST_SLEEP_US = "20";

    private final HazelcastInstance here;
    private @Nullable JavaProcess there;
    private final int[] ports;
    private final Path logs;
    private final Waiting waiting;
    private final Map<String, String> options;
    private int started;

    private Members(HazelcastInstance here, int[] ports, Cell cell) {
        this.here = here;
        this.ports = ports;
        logs = cell.folder().path();
        options = cell.options("jet");
        waiting = cell.waiting();
    }

    /** Starts as many as the cell wants, whose threads wait in its way, with its options of Jet. */
    static Members start(Cell cell) throws IOException, InterruptedException {
        int[] ports = JavaProcess.freePorts(count(cell));
        Members members = new Members(member(cell.waiting(), ports, 0, cell.options("jet")), ports, cell);
        if (ports.length > 1) {
            try {
                members.startOther().await(members::allAlive, Duration.ofMinutes(3));
            } catch (IOException | InterruptedException e) {
                members.close();
                throw e;
            }
        }
        return members;
    }

    private JavaProcess startOther() throws IOException {
        List<String> arguments = new ArrayList<>(List.of(Members.class.getName(), waiting.name()));
        Arrays.stream(ports).mapToObj(Integer::toString).forEach(arguments::add);
        String name = "member" + (++started == 1 ? "" : "-" + started);
        JavaProcess other =
                JavaProcess.start(name, logs, Map.of(), options(), System.getProperty("java.class.path"), arguments);
        there = other;
        return other;
    }

    /** How many a cell wants. */
    static int count(Cell cell) {
        return cell.kills() ? 2 : cell.processes();
    }

    /** The process of the member that is not in this JVM. */
    long pidOfWorker() {
        return Objects.requireNonNull(there).pid();
    }

    /** Starts another one in its place, if the member that is not in this JVM has ended. */
    void replaceEndedWorker() throws IOException {
        if (there != null && !there.isAlive()) {
            startOther();
        }
    }

    /** Those of this JVM, except what holds of it alone. */
    private static List<String> options() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> Stream.of("-X", "--add", "-XX").anyMatch(option::startsWith))
                .toList();
    }

    /** {@code Members WAITING PORT PORT}: the second member, in a JVM of its own. */
    public static void main(String[] arguments) {
        int[] ports =
                Arrays.stream(arguments).skip(1).mapToInt(Integer::parseInt).toArray();
        member(Waiting.valueOf(arguments[0]), ports, 1, Map.of());
    }

    /** One alone, with so many cooperative threads. */
    static HazelcastInstance ofThreads(int threads) throws IOException {
        Config config = config(JavaProcess.freePorts(1), 0);
        config.getJetConfig().setCooperativeThreadCount(threads);
        return Hazelcast.newHazelcastInstance(config);
    }

    private static HazelcastInstance member(Waiting waiting, int[] ports, int index, Map<String, String> options) {
        Config config = config(ports, index);
        String threads = options.get("cooperative-threads");
        if (threads != null) {
            config.getJetConfig().setCooperativeThreadCount(Integer.parseInt(threads));
        }
        String size = options.get("queue-size");
        if (size != null) {
            config.getJetConfig().setDefaultEdgeConfig(new EdgeConfig().setQueueSize(Integer.parseInt(size)));
        }
        config.setProperty(ClusterProperty.JET_IDLE_NONCOOPERATIVE_MIN_MICROSECONDS.getName(), SHORTEST_SLEEP_US);
        config.setProperty(ClusterProperty.JET_IDLE_NONCOOPERATIVE_MAX_MICROSECONDS.getName(), LONGEST_SLEEP_US);
        if (waiting != Waiting.OWN) {
            long micros = waiting == Waiting.SPIN ? 0 : TimeUnit.NANOSECONDS.toMicros(Load.PARK_NS);
            config.setProperty(ClusterProperty.JET_IDLE_COOPERATIVE_MIN_MICROSECONDS.getName(), Long.toString(micros));
            config.setProperty(ClusterProperty.JET_IDLE_COOPERATIVE_MAX_MICROSECONDS.getName(), Long.toString(micros));
        }
        return Hazelcast.newHazelcastInstance(config);
    }

    private static Config config(int[] ports, int index) {
        Config config = new Config();
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.setProperty("hazelcast.socket.bind.any", "false");
        config.setProperty("hazelcast.logging.type", "slf4j");
        config.setProperty("hazelcast.shutdownhook.enabled", "false");
        config.getJetConfig().setEnabled(true);
        NetworkConfig network = config.getNetworkConfig();
        network.setPort(ports[index]).setPortAutoIncrement(false).setPublicAddress(HOST + ":" + ports[index]);
        network.getInterfaces().setEnabled(true).addInterface(HOST);
        JoinConfig join = network.getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(ports.length > 1);
        for (int port : ports) {
            join.getTcpIpConfig().addMember(HOST + ":" + port);
        }
        serialize(config, Numbered.class, new Numbered.Serializer());
        serialize(config, Message.class, new MessageSerializer());
        serialize(config, GroupBy.Key.class, new Fact.KeySerializer());
        return config;
    }

    private static void serialize(Config config, Class<?> type, Serializer serializer) {
        config.getSerializationConfig()
                .addSerializerConfig(new SerializerConfig().setTypeClass(type).setImplementation(serializer));
    }

    HazelcastInstance here() {
        return here;
    }

    /** Where those are that run something of a cell, this JVM's first; where the other one is to be killed, that alone. */
    List<Address> working(Cell cell) {
        Address own = here.getCluster().getLocalMember().getAddress();
        List<Address> all = new ArrayList<>(cell.kills() ? List.of() : List.of(own));
        for (Member member : here.getCluster().getMembers()) {
            if (!member.getAddress().equals(own)) {
                all.add(member.getAddress());
            }
        }
        return all;
    }

    /** Whether they are as many as the cell wants, all alive, wait in its way, and have its options. */
    boolean fit(Cell cell) {
        return ports.length == count(cell)
                && waiting == cell.waiting()
                && options.equals(cell.options("jet"))
                && allAlive();
    }

    boolean allAlive() {
        return there == null
                || (there.isAlive() && here.getCluster().getMembers().size() == ports.length);
    }

    @Override
    public void close() {
        here.getLifecycleService().terminate();
        if (there != null) {
            there.close();
        }
    }
}
