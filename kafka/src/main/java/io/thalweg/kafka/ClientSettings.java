// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import java.io.Serializable;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/** The connection settings of clients. Secrets never appear in messages. */
@SuppressWarnings("serial") // the map is one of the JDK's
final class ClientSettings implements Serializable {
    private static final long serialVersionUID = 1L;

    private static final Duration CONNECT = Duration.ofSeconds(30);

    private final String servers;
    private final Map<String, String> properties;
    private final Duration connectTimeout;

    private ClientSettings(String servers, Map<String, String> properties, Duration connectTimeout) {
        this.servers = servers;
        this.properties = properties;
        this.connectTimeout = connectTimeout;
    }

    static ClientSettings of(String servers) {
        if (servers.isBlank()) {
            throw new IllegalArgumentException("name at least one server of the Kafka cluster, as HOST:PORT");
        }
        return new ClientSettings(servers.strip(), Map.of(), CONNECT);
    }

    /** @param owned properties that only this connector sets, with what to use instead */
    ClientSettings with(String name, String value, Map<String, String> owned) {
        if (owned.containsKey(name)) {
            throw new IllegalArgumentException("the Kafka setting " + name + " cannot be changed; " + owned.get(name));
        }
        Map<String, String> more = new HashMap<>(properties);
        more.put(name, value);
        return new ClientSettings(servers, Map.copyOf(more), connectTimeout);
    }

    ClientSettings connectTimeout(Duration atMost) {
        if (atMost.isNegative() || atMost.isZero()) {
            throw new IllegalArgumentException("the connect timeout must be longer than " + atMost);
        }
        return new ClientSettings(servers, properties, atMost);
    }

    String servers() {
        return servers;
    }

    Duration connectTimeout() {
        return connectTimeout;
    }

    /** Defaults with the user's settings over them. */
    Map<String, Object> over(Map<String, Object> defaults) {
        Map<String, Object> all = new HashMap<>(defaults);
        all.putAll(properties);
        all.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
        return all;
    }

    /** Settings of the admin client, which gives up after the connect timeout. */
    Map<String, Object> admin() {
        Set<String> known = AdminClientConfig.configNames();
        Map<String, Object> all = new HashMap<>();
        properties.forEach((name, value) -> {
            boolean ofOthers = ConsumerConfig.configNames().contains(name)
                    || ProducerConfig.configNames().contains(name);
            if (known.contains(name) || !ofOthers) {
                all.put(name, value);
            }
        });
        int timeoutMs = (int) Math.min(Integer.MAX_VALUE, connectTimeout.toMillis());
        all.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, timeoutMs);
        all.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, timeoutMs);
        all.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
        return all;
    }

    /** True if clients connect without TLS. */
    boolean isPlain() {
        return !properties.getOrDefault("security.protocol", "PLAINTEXT").contains("SSL");
    }

    /** A text without the values of secret settings, which a client's messages may quote. */
    String withoutSecrets(String text) {
        String hidden = text;
        for (Map.Entry<String, String> each : properties.entrySet()) {
            if (isSecret(each.getKey()) && !each.getValue().isEmpty()) {
                hidden = hidden.replace(each.getValue(), "(hidden)");
            }
        }
        return hidden;
    }

    /** True for Kafka's own passwords, and for properties of plug-ins whose names look like secrets. */
    static boolean isSecret(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.contains("password")
                || lower.contains("jaas")
                || lower.contains("secret")
                || lower.contains("token")
                || lower.contains("credential")
                || lower.endsWith("key")
                || lower.endsWith("user.info");
    }

    /** The servers, and the names of the settings. */
    @Override
    public String toString() {
        return servers + " " + properties.keySet();
    }
}
