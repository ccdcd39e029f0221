// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.run.JobFailedException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.MetricOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.SecurityOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.jspecify.annotations.Nullable;

/** A session cluster and its client. Closing it shuts down a cluster within this JVM, and only disconnects from any other. */
final class ClusterConnection implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("([^:/\\s]+):([0-9]{1,5})");
    private static final Pattern VERSION = Pattern.compile("\"flink-version\":\"([^\"]+)\"");
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int UNAVAILABLE = 503;
    private static final int MOVED = 301;
    private static final int TRIES = 100;
    private static final long BETWEEN_TRIES_MS = 100;
    private static final String LOOPBACK = "127.0.0.1";
    private static final MemorySize NETWORK = MemorySize.ofMebiBytes(128);

    private final RestClusterClient<String> client;
    private final @Nullable MiniCluster mini;

    private ClusterConnection(RestClusterClient<String> client, @Nullable MiniCluster mini) {
        this.client = client;
        this.mini = mini;
    }

    static String checked(String address) {
        if (!ADDRESS.matcher(address).matches()) {
            throw new IllegalArgumentException(
                    "a Flink cluster's address is host:port of its REST endpoint, such as localhost:8081, not '"
                            + address + "'");
        }
        return address;
    }

    /**
     * @param keys of the cluster; null to look whether it is this user's trial cluster
     * @throws JobFailedException if no cluster of this version answers there
     */
    static ClusterConnection of(String topology, String address, @Nullable ClusterKeys keys) {
        Matcher parts = ADDRESS.matcher(address);
        if (!parts.matches()) {
            throw new IllegalArgumentException(address);
        }
        ClusterKeys known = keys == null ? ClusterKeys.ofTrialCluster(address) : keys;
        checkVersion(topology, address, known);
        try {
            return new ClusterConnection(client(parts.group(1), Integer.parseInt(parts.group(2)), known), null);
        } catch (Exception e) {
            throw new JobFailedException(problem(topology, address) + e.getMessage(), e);
        }
    }

    private static String problem(String topology, String address) {
        return "topology '" + topology + "': the Flink cluster at " + address + ": ";
    }

    private static void checkVersion(String topology, String address, @Nullable ClusterKeys keys) {
        String ours = EnvironmentInformation.getVersion();
        HttpResponse<String> answer;
        try {
            answer = answer(address, keys);
        } catch (SSLException e) {
            throw new JobFailedException(
                    problem(topology, address) + "it does not accept the key of the trial cluster (" + e.getMessage()
                            + "); start that again with 'thalweg flink stop' and 'thalweg flink start'",
                    e);
        } catch (IOException | IllegalArgumentException e) {
            throw new JobFailedException(
                    problem(topology, address) + "no answer ("
                            + (e.getMessage() == null ? "connection refused" : e.getMessage())
                            + "); start one with 'thalweg flink start', or check host and port of its REST endpoint",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JobFailedException(problem(topology, address) + "interrupted", e);
        }
        if (answer.statusCode() == MOVED) {
            throw new JobFailedException(
                    problem(topology, address)
                            + "it accepts only TLS with a client key; a trial cluster accepts jobs only from the user"
                            + " who started it",
                    null);
        }
        Matcher version = VERSION.matcher(answer.body());
        if (!version.find()) {
            throw new JobFailedException(
                    problem(topology, address) + "the server there is not Flink; check host and port", null);
        }
        if (!minor(version.group(1)).equals(minor(ours))) {
            throw new JobFailedException(
                    problem(topology, address) + "it is Flink " + version.group(1) + ", but this Thalweg needs Flink "
                            + minor(ours) + "; run that version on the cluster",
                    null);
        }
    }

    /** Retries, because a cluster that has just started is not ready for a moment. */
    private static HttpResponse<String> answer(String address, @Nullable ClusterKeys keys)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create((keys == null ? "http://" : "https://") + address + "/config"))
                .timeout(PATIENCE)
                .build();
        CountDownLatch never = new CountDownLatch(1);
        HttpClient http = (keys == null ? HttpClient.newBuilder() : keys.client())
                .connectTimeout(PATIENCE)
                .build();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        for (int again = 0; again < TRIES && response.statusCode() == UNAVAILABLE; again++) {
            if (never.await(BETWEEN_TRIES_MS, TimeUnit.MILLISECONDS)) {
                break;
            }
            response = http.send(request, HttpResponse.BodyHandlers.ofString());
        }
        return response;
    }

    private static String minor(String version) {
        String[] parts = version.split("\\.");
        return parts.length < 2 ? version : parts[0] + "." + parts[1];
    }

    /** @throws JobFailedException if it does not start */
    static ClusterConnection inThisJvm(int slots, Configuration options) {
        Configuration all = new Configuration(options);
        ClusterKeys keys;
        try {
            keys = ClusterKeys.ofThisJvm();
        } catch (IOException | ConnectorException e) {
            throw new JobFailedException("Flink does not start in this JVM: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JobFailedException("Flink does not start in this JVM: interrupted", e);
        }
        keys.options().forEach(all::setString);
        all.set(CoreOptions.TMP_DIRS, keys.folder().toString());
        all.set(JobManagerOptions.BIND_HOST, LOOPBACK); // the blob server binds to it, too
        all.set(RestOptions.BIND_PORT, "0");
        all.set(RestOptions.ADDRESS, LOOPBACK);
        all.set(RestOptions.BIND_ADDRESS, LOOPBACK);
        all.set(TaskManagerOptions.NETWORK_MEMORY_MIN, NETWORK);
        all.set(TaskManagerOptions.NETWORK_MEMORY_MAX, NETWORK);
        all.set(SecurityOptions.DELEGATION_TOKENS_ENABLED, false);
        all.set(HeartbeatManagerOptions.HEARTBEAT_INTERVAL, Duration.ofSeconds(1)); // accumulators are sent with it
        all.set(WebOptions.REFRESH_INTERVAL, Duration.ofMillis(100));
        all.set(MetricOptions.METRIC_FETCHER_UPDATE_INTERVAL, Duration.ofSeconds(1));
        MiniCluster mini = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(all)
                .setCommonBindAddress(LOOPBACK)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(slots)
                .withRandomPorts()
                .build());
        try {
            mini.start();
            URI rest = mini.getRestAddress().get();
            return new ClusterConnection(client(rest.getHost(), rest.getPort(), keys), mini);
        } catch (Exception e) {
            end(mini);
            throw new JobFailedException("Flink does not start in this JVM: " + e.getMessage(), e);
        }
    }

    private static RestClusterClient<String> client(String host, int port, @Nullable ClusterKeys keys)
            throws Exception {
        Configuration options = new Configuration();
        if (keys != null) {
            keys.options().forEach(options::setString);
        }
        options.set(RestOptions.ADDRESS, host);
        options.set(RestOptions.PORT, port);
        options.set(RestOptions.RETRY_MAX_ATTEMPTS, 3);
        options.set(RestOptions.RETRY_DELAY, Duration.ofMillis(500));
        return new RestClusterClient<>(options, "thalweg");
    }

    RestClusterClient<String> client() {
        return client;
    }

    @Override
    public void close() {
        client.close();
        if (mini != null) {
            end(mini);
        }
    }

    private static void end(MiniCluster cluster) {
        try {
            cluster.closeAsync().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            return; // its threads are daemons, and the end of the job was reported
        }
    }
}
