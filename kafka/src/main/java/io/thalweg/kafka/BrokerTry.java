// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asks a cluster for an answer, whatever it is. First whether somebody accepts connections, because Kafka's client says of all that is
 * wrong below its protocol only that there was no answer, and logs each of its own tries.
 */
record BrokerTry(String what, ClientSettings settings) implements BrokerWait.Try {
    /** As Kafka's client takes it. */
    private static final Pattern SERVER =
            Pattern.compile("(?:[0-9a-zA-Z\\-%._]*://)?\\[?([0-9a-zA-Z\\-%._:]+)]?:([0-9]{1,5})");

    private static final int LAST_PORT = 65_535;

    @Override
    public @Nullable String failure(Duration atMost) throws InterruptedException {
        checkSettings();
        String unreachable = unreachable(settings.servers(), atMost);
        return unreachable == null ? silent(atMost) : unreachable;
    }

    /** What is not valid does not mend while nobody answers. */
    private void checkSettings() {
        try {
            AdminClientConfig.configDef().parse(settings.admin());
        } catch (ConfigException e) {
            throw new Failures(settings).of(what, e);
        }
    }

    private @Nullable String silent(Duration atMost) throws InterruptedException {
        Admin admin = new TopicList(settings).admin();
        try {
            var options = new DescribeClusterOptions().timeoutMs(Math.toIntExact(atMost.toMillis()));
            admin.describeCluster(options).clusterId().get();
            return null;
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            boolean needsTls =
                    cause instanceof TimeoutException && settings.isPlain() && TlsProbe.speaksTls(settings.servers());
            if (needsTls || cause instanceof AuthenticationException) {
                throw new Failures(settings).of(what, e);
            }
            if (cause instanceof TimeoutException) {
                Object protocol = settings.shownOver(Map.of()).get("security.protocol");
                return "it accepts connections, but does not answer as a Kafka broker"
                        + (protocol == null ? "" : " with security.protocol=" + protocol);
            }
            return cause instanceof RetriableException
                    ? settings.withoutSecrets(String.valueOf(cause.getMessage()))
                    : null;
        } finally {
            admin.close(Duration.ZERO);
        }
    }

    /**
     * Null if one of the servers accepts connections, or is named in a way that the client must judge; else why none of them does.
     *
     * @param servers with commas between them
     */
    static @Nullable String unreachable(String servers, Duration atMost) {
        String[] all = servers.split(",", -1);
        Map<String, String> problems = new LinkedHashMap<>();
        for (String server : all) {
            Matcher matcher = SERVER.matcher(server.strip());
            if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > LAST_PORT) {
                return null;
            }
            String problem =
                    problem(matcher.group(1), Integer.parseInt(matcher.group(2)), atMost.dividedBy(all.length));
            if (problem == null) {
                return null;
            }
            problems.merge(problem, server.strip(), (one, other) -> one + " and " + other);
        }
        if (problems.size() == 1) {
            return problems.keySet().iterator().next();
        }
        StringBuilder text = new StringBuilder();
        problems.forEach((problem, which) -> text.append(text.isEmpty() ? "" : ", ")
                .append(problem)
                .append(" (")
                .append(which)
                .append(")"));
        return text.toString();
    }

    private static @Nullable String problem(String host, int port, Duration atMost) {
        String problem = "unknown host";
        try {
            InetAddress[] addresses = InetAddress.getAllByName(host);
            int ms = Math.max(
                    1, Math.toIntExact(atMost.dividedBy(addresses.length).toMillis()));
            for (InetAddress address : addresses) {
                try (Socket socket = new Socket(Proxy.NO_PROXY)) { // as Kafka's client, which knows no proxies
                    socket.connect(new InetSocketAddress(address, port), ms);
                    return null;
                } catch (IOException e) {
                    problem = words(e);
                }
            }
        } catch (UnknownHostException e) {
            return problem;
        }
        return problem;
    }

    private static String words(IOException thrown) {
        if (thrown instanceof SocketTimeoutException) {
            return "no answer to connecting";
        }
        if (thrown instanceof NoRouteToHostException) {
            return "no route to the host";
        }
        boolean refused = thrown instanceof ConnectException
                && String.valueOf(thrown.getMessage()).contains("refused");
        return refused ? "connection refused" : String.valueOf(thrown.getMessage());
    }
}
