// SPDX-License-Identifier: Apache-2.0
package io.thalweg.broker;

import java.util.Map;
import java.util.TreeMap;

/**
 * What trial brokers are like: one broker on a free port that lets everybody in, by default. Immutable: each method
 * returns another setup.
 *
 * @param brokers how many, each its own controller
 * @param port of the first broker, the next ones follow it; 0 for free ports
 * @param protocol of clients: {@code PLAINTEXT}, {@code SSL}, {@code SASL_PLAINTEXT} or {@code SASL_SSL}
 * @param users who may log in with SCRAM-SHA-512, and their passwords
 * @param settings of each broker, over its defaults
 * @param outlives whether the brokers keep running when the process that started them ends
 */
public record BrokerSetup(
        int brokers,
        int port,
        String protocol,
        Map<String, String> users,
        Map<String, String> settings,
        boolean outlives) {
    private static final int LAST_PORT = 65_535;

    /** @throws IllegalArgumentException if there can be no such brokers */
    public BrokerSetup {
        if (brokers != 1 && brokers != 3) {
            throw new IllegalArgumentException("a trial cluster has 1 or 3 brokers, not " + brokers);
        }
        if (port < 0 || port > LAST_PORT - brokers + 1) {
            throw new IllegalArgumentException("a port is a number from 0 to " + LAST_PORT + ", not " + port);
        }
        users = Map.copyOf(users);
        settings = Map.copyOf(settings);
    }

    public static BrokerSetup single() {
        return new BrokerSetup(1, 0, "PLAINTEXT", Map.of(), Map.of(), false);
    }

    public BrokerSetup withBrokers(int number) {
        return new BrokerSetup(number, port, protocol, users, settings, outlives);
    }

    public BrokerSetup withPort(int number) {
        return new BrokerSetup(brokers, number, protocol, users, settings, outlives);
    }

    public BrokerSetup withProtocol(String name) {
        return new BrokerSetup(brokers, port, name, users, settings, outlives);
    }

    /** Clients must come by TLS and log in as a {@linkplain #withUser user}. */
    public BrokerSetup secured(TrialKeys keys) {
        BrokerSetup secured = withProtocol("SASL_SSL");
        for (Map.Entry<String, String> each : keys.broker().entrySet()) {
            secured = secured.with(each.getKey(), each.getValue());
        }
        return secured;
    }

    /** Only before the brokers start for the first time: they keep their users with their data. */
    public BrokerSetup withUser(String name, String password) {
        return new BrokerSetup(brokers, port, protocol, with(users, name, password), settings, outlives);
    }

    /** A setting of Kafka's broker, as in {@code server.properties}. */
    public BrokerSetup with(String name, String value) {
        return new BrokerSetup(brokers, port, protocol, users, with(settings, name, value), outlives);
    }

    /** The brokers keep running when this process has ended. */
    public BrokerSetup outliving() {
        return new BrokerSetup(brokers, port, protocol, users, settings, true);
    }

    private static Map<String, String> with(Map<String, String> all, String name, String value) {
        Map<String, String> more = new TreeMap<>(all);
        more.put(name, value);
        return more;
    }

    /** Without passwords. */
    @Override
    public String toString() {
        return brokers + " " + protocol + " on port " + port + ", users " + users.keySet() + ", " + settings.keySet();
    }
}
