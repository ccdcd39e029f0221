// SPDX-License-Identifier: Apache-2.0
package io.thalweg.broker;

import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The {@code server.properties} of one broker. */
final class NodeSettings {
    /** One for clients, one for controllers, one for the brokers among themselves. */
    static final int LISTENERS = 3;

    private static final String CLIENTS = "CLIENTS";
    private static final String CONTROLLER = "CONTROLLER";
    private static final String BROKERS = "BROKERS";

    private NodeSettings() {}

    /**
     * @param id from 1 on
     * @param ports of clients for each broker, then of controllers, then of the brokers among themselves
     */
    static Properties of(BrokerSetup setup, int id, int[] ports, Path data) {
        int brokers = setup.brokers();
        Properties server = new Properties();
        server.put("process.roles", "broker,controller");
        server.put("node.id", Integer.toString(id));
        server.put(
                "listeners",
                listener(CLIENTS, ports[id - 1]) + "," + listener(CONTROLLER, ports[brokers + id - 1]) + ","
                        + listener(BROKERS, ports[2 * brokers + id - 1]));
        server.put(
                "listener.security.protocol.map",
                CLIENTS + ":" + setup.protocol() + "," + CONTROLLER + ":PLAINTEXT," + BROKERS + ":PLAINTEXT");
        server.put("controller.listener.names", CONTROLLER);
        server.put("inter.broker.listener.name", BROKERS);
        server.put(
                "controller.quorum.voters",
                IntStream.range(0, brokers)
                        .mapToObj(i -> (i + 1) + "@" + BrokerNode.HOST + ":" + ports[brokers + i])
                        .collect(Collectors.joining(",")));
        server.put("log.dirs", data.toString());
        server.put("auto.create.topics.enable", "false");
        server.put("group.initial.rebalance.delay.ms", "0");
        // A broker that was killed comes back only when its controller has given it up, after 9 s unless told
        // otherwise. Of several, one that is merely slow, as on a busy machine, must not be given up by the others.
        server.put("broker.session.timeout.ms", brokers == 1 ? "2000" : "6000");
        server.put("broker.heartbeat.interval.ms", "400");
        // Else a broker ends that the others let wait for a minute, as where several start on a busy machine.
        server.put("initial.broker.registration.timeout.ms", "600000");
        if (brokers > 1) {
            server.put("controller.quorum.fetch.timeout.ms", "6000");
            server.put("controller.quorum.election.timeout.ms", "3000");
        }
        server.put("default.replication.factor", Integer.toString(brokers));
        for (String topic : List.of("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
            server.put(topic + ".replication.factor", Integer.toString(brokers));
            server.put(topic + ".num.partitions", "1");
        }
        String inSync = Integer.toString((brokers + 1) / 2);
        server.put("min.insync.replicas", inSync);
        server.put("transaction.state.log.min.isr", inSync);
        server.put("share.coordinator.state.topic.min.isr", inSync);
        if (!setup.users().isEmpty()) {
            server.put("sasl.enabled.mechanisms", "SCRAM-SHA-512");
            server.put(
                    "listener.name.clients.scram-sha-512.sasl.jaas.config",
                    "org.apache.kafka.common.security.scram.ScramLoginModule required;");
        }
        server.putAll(setup.settings());
        return server;
    }

    private static String listener(String name, int port) {
        return name + "://" + BrokerNode.HOST + ":" + port;
    }
}
