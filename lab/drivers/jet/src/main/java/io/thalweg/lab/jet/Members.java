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
import com.hazelcast.nio.serialization.Serializer;
import io.thalweg.lab.driver.GroupBy;
import io.thalweg.lab.driver.JavaProcess;
import io.thalweg.lab.driver.Message;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A member in this JVM, and with it, for cells of two processes, one in a JVM of its own. They listen on the loopback alone. */
final class Members implements AutoCloseable {
    private static final String HOST = "127.0.0.1";

    private final HazelcastInstance here;
    private final @Nullable JavaProcess there;

    private Members(HazelcastInstance here, @Nullable JavaProcess there) {
        this.here = here;
        this.there = there;
    }

    /** Starts one or two. */
    static Members start(int count, Path logs) throws IOException, InterruptedException {
        int[] ports = JavaProcess.freePorts(count);
        HazelcastInstance here = member(ports, 0);
        JavaProcess there = null;
        if (count > 1) {
            List<String> arguments = new ArrayList<>(List.of(Members.class.getName()));
            Arrays.stream(ports).mapToObj(Integer::toString).forEach(arguments::add);
            try {
                there = JavaProcess.start(
                        "member", logs, Map.of(), options(), System.getProperty("java.class.path"), arguments);
                there.await(() -> here.getCluster().getMembers().size() == count, Duration.ofMinutes(1));
            } catch (IOException | InterruptedException e) {
                new Members(here, there).close();
                throw e;
            }
        }
        return new Members(here, there);
    }

    /** Those of this JVM, except what holds of it alone. */
    private static List<String> options() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> Stream.of("-X", "--add", "-XX").anyMatch(option::startsWith))
                .toList();
    }

    /** {@code Members PORT PORT}: the second member, in a JVM of its own. */
    public static void main(String[] ports) {
        member(Arrays.stream(ports).mapToInt(Integer::parseInt).toArray(), 1);
    }

    /** One alone, with so many cooperative threads. */
    static HazelcastInstance ofThreads(int threads) throws IOException {
        Config config = config(JavaProcess.freePorts(1), 0);
        config.getJetConfig().setCooperativeThreadCount(threads);
        return Hazelcast.newHazelcastInstance(config);
    }

    private static HazelcastInstance member(int[] ports, int index) {
        return Hazelcast.newHazelcastInstance(config(ports, index));
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

    /** Where they are, this JVM's first. */
    List<Address> addresses() {
        Address own = here.getCluster().getLocalMember().getAddress();
        List<Address> all = new ArrayList<>(List.of(own));
        for (Member member : here.getCluster().getMembers()) {
            if (!member.getAddress().equals(own)) {
                all.add(member.getAddress());
            }
        }
        return all;
    }

    int count() {
        return there == null ? 1 : 2;
    }

    boolean allAlive() {
        return there == null
                || (there.isAlive() && here.getCluster().getMembers().size() == 2);
    }

    @Override
    public void close() {
        here.getLifecycleService().terminate();
        if (there != null) {
            there.close();
        }
    }
}
