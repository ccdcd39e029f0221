// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Secret;
import java.io.Serializable;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/** The connection settings of clients. Secrets never appear in messages. */
@SuppressWarnings("serial") // the maps are of the JDK
final class ClientSettings implements Serializable {
    private static final long serialVersionUID = 1L;

    private static final String HIDDEN = "(hidden)";
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{env:([^}]+)}");
    private static final Pattern QUOTED = Pattern.compile("'([^']+)'");
    private static final Duration CONNECT = Duration.ofSeconds(30);

    /** For ever, in calculations with milliseconds. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final String servers;
    private final Map<String, String> properties;

    /** Properties that are read when a client is made; none is in the other map, too. */
    private final Map<String, Secret> secrets;

    private final Duration connectTimeout;

    private ClientSettings(
            String servers, Map<String, String> properties, Map<String, Secret> secrets, Duration connectTimeout) {
        this.servers = servers;
        this.properties = properties;
        this.secrets = secrets;
        this.connectTimeout = connectTimeout;
    }

    static ClientSettings of(String servers) {
        if (servers.isBlank()) {
            throw new IllegalArgumentException("name at least one server of the Kafka cluster, as HOST:PORT");
        }
        return new ClientSettings(servers.strip(), Map.of(), Map.of(), CONNECT);
    }

    /** @param owned properties that only this connector sets, with what to use instead */
    ClientSettings with(String name, String value, Map<String, String> owned) {
        ClientSettings others = without(name, owned);
        Map<String, String> more = new HashMap<>(others.properties);
        more.put(name, value);
        return new ClientSettings(servers, Map.copyOf(more), others.secrets, connectTimeout);
    }

    /** As the other method. */
    ClientSettings with(String name, Secret value, Map<String, String> owned) {
        ClientSettings others = without(name, owned);
        Map<String, Secret> more = new HashMap<>(others.secrets);
        more.put(name, value);
        return new ClientSettings(servers, others.properties, Map.copyOf(more), connectTimeout);
    }

    /** All of these, of which some may be in the environment. */
    ClientSettings with(Map<String, String> more, Map<String, String> owned) {
        ClientSettings all = this;
        for (Map.Entry<String, String> each : more.entrySet()) {
            Matcher variable = VARIABLE.matcher(each.getValue());
            all = variable.matches()
                    ? all.with(each.getKey(), Secret.environment(variable.group(1)), owned)
                    : all.with(each.getKey(), each.getValue(), owned);
        }
        return all;
    }

    private ClientSettings without(String name, Map<String, String> owned) {
        if (owned.containsKey(name)) {
            throw new IllegalArgumentException("the Kafka setting " + name + " cannot be changed; " + owned.get(name));
        }
        Map<String, String> fewer = new HashMap<>(properties);
        fewer.remove(name);
        Map<String, Secret> fewerSecrets = new HashMap<>(secrets);
        fewerSecrets.remove(name);
        return new ClientSettings(servers, Map.copyOf(fewer), Map.copyOf(fewerSecrets), connectTimeout);
    }

    ClientSettings connectTimeout(Duration atMost) {
        if (atMost.isNegative() || atMost.isZero()) {
            throw new IllegalArgumentException("the connect timeout must be longer than " + atMost);
        }
        return new ClientSettings(servers, properties, secrets, atMost.compareTo(LONGEST) > 0 ? LONGEST : atMost);
    }

    /** The same, whose admin client gives up after this time, whatever the user has set for calls and requests. */
    ClientSettings atMost(Duration timeout) {
        Map<String, String> others = new HashMap<>(properties);
        others.remove(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG);
        others.remove(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG);
        Duration shorter = timeout.compareTo(connectTimeout) < 0 ? timeout : connectTimeout;
        return new ClientSettings(servers, Map.copyOf(others), secrets, shorter);
    }

    String servers() {
        return servers;
    }

    Duration connectTimeout() {
        return connectTimeout;
    }

    /** Those that are no secrets, over defaults. */
    Map<String, Object> shownOver(Map<String, Object> defaults) {
        Map<String, Object> all = new HashMap<>(defaults);
        all.putAll(properties);
        return all;
    }

    /**
     * Defaults with the user's settings over them.
     *
     * @throws io.thalweg.api.connector.ConnectorException if a secret is not there
     */
    Map<String, Object> over(Map<String, Object> defaults) {
        Map<String, Object> all = shownOver(defaults);
        all.putAll(known());
        all.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
        return all;
    }

    private Map<String, String> known() {
        Map<String, String> all = new HashMap<>(properties);
        secrets.forEach((name, secret) -> all.put(name, secret.read()));
        return all;
    }

    /** How long a call waits for an answer: the connect timeout, unless the user has set another time. */
    Duration callTimeout() {
        double set = number(properties.getOrDefault(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ""));
        return Double.isNaN(set) ? connectTimeout : Duration.ofMillis((long) set);
    }

    /** Settings of the admin client, which gives up after the connect timeout. */
    Map<String, Object> admin() {
        Set<String> known = AdminClientConfig.configNames();
        Map<String, Object> all = new HashMap<>();
        known().forEach((name, value) -> {
            boolean ofOthers = ConsumerConfig.configNames().contains(name)
                    || ProducerConfig.configNames().contains(name);
            if (known.contains(name) || !ofOthers) {
                all.put(name, value);
            }
        });
        int timeoutMs = (int) Math.min(Integer.MAX_VALUE, connectTimeout.toMillis());
        all.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, timeoutMs);
        Object callMs = all.get(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG);
        all.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, callMs);
        if (number(all.get(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG)) > number(callMs)) {
            all.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, callMs); // or the client refuses both
        }
        all.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
        return all;
    }

    /** Not a number, if it is none: the client says so. */
    private static double number(Object value) {
        try {
            return Integer.parseInt(String.valueOf(value).strip());
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
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
                hidden = without(each.getValue(), hidden);
            }
        }
        for (Secret secret : secrets.values()) {
            try {
                hidden = without(secret.read(), hidden);
            } catch (ConnectorException e) {
                // then nobody can quote it either
            }
        }
        return hidden;
    }

    /** Of a login with a quotation mark too many, a client quotes the part that it does not understand, which may be of the password. */
    private static String without(String secret, String text) {
        return QUOTED.matcher(text.replace(secret, HIDDEN))
                .replaceAll(found ->
                        Matcher.quoteReplacement(secret.contains(found.group(1)) ? "'" + HIDDEN + "'" : found.group()));
    }

    /** True for Kafka's own passwords, and for properties of plug-ins whose names look like secrets. */
    static boolean isSecret(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.contains("password")
                || lower.contains("passphrase")
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
        return servers + " " + properties.keySet() + " " + secrets.keySet();
    }
}
