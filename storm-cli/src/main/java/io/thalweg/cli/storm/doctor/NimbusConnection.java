// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm.doctor;

import io.thalweg.api.connector.ConnectorException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.storm.Config;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.thrift.TApplicationException;
import org.apache.storm.thrift.TException;
import org.apache.storm.thrift.transport.TTransportException;
import org.apache.storm.utils.NimbusClient;
import org.jspecify.annotations.Nullable;

/** Calls a Nimbus, each time with an end: Storm's own client would wait for minutes, and longer for one that answers slowly. */
public final class NimbusConnection implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(20);

    /** Of an answer; Storm's own limit is a sixteenth of it. */
    private static final int MOST_BYTES = 16 << 20;

    private final String host;
    private final int port;
    private final Map<String, Object> settings;
    private final Duration atMost;
    private final ExecutorService caller = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work, "nimbus");
        thread.setDaemon(true);
        return thread;
    });
    private volatile @Nullable NimbusClient client;

    /** What is asked of it. */
    public interface Call<T> {
        T with(Nimbus.Iface nimbus) throws IOException, TException;
    }

    /** @param settings of Storm's client */
    public NimbusConnection(String host, int port, Map<String, Object> settings) {
        this(host, port, settings, ANSWER);
    }

    /** @param atMost how long each call may take */
    NimbusConnection(String host, int port, Map<String, Object> settings, Duration atMost) {
        this.atMost = atMost;
        this.host = host;
        this.port = port;
        this.settings = settings;
        settings.put(Config.NIMBUS_THRIFT_MAX_BUFFER_SIZE, MOST_BYTES);
        settings.put(Config.STORM_NIMBUS_RETRY_TIMES, 1);
        settings.put(Config.STORM_NIMBUS_RETRY_INTERVAL, 1);
        settings.put(Config.STORM_NIMBUS_RETRY_INTERVAL_CEILING, 10);
    }

    private String where() {
        return host + ":" + port;
    }

    /** @throws ConnectorException if it cannot be asked; the message is one line */
    public <T> T call(Call<T> call) throws InterruptedException {
        Future<T> answer = caller.submit(() -> call.with(connected().getClient()));
        try {
            return answer.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw silent(e);
        } catch (ExecutionException e) {
            close(client);
            client = null;
            throw failure(e.getCause() == null ? e : e.getCause());
        }
    }

    private NimbusClient connected() throws IOException, TException {
        NimbusClient open = client;
        if (open == null) {
            try (Socket socket = new Socket()) { // Storm's client would retry, and say less
                socket.connect(new InetSocketAddress(host, port), (int) CONNECT.toMillis());
            } catch (IOException e) {
                throw new IOException(
                        "no Nimbus answers at " + where() + " (" + e.getMessage()
                                + "); correct the address: it is that of nimbus.thrift.port, 6627 by default",
                        e);
            }
            open = NimbusClient.Builder.withConf(settings)
                    .withTimeout((int) atMost.toMillis())
                    .buildWithNimbusHostPort(host, port);
            client = open;
        }
        return open;
    }

    private ConnectorException silent(Throwable cause) {
        return new ConnectorException(
                "Nimbus at " + where() + " has not answered for " + atMost.toMillis() / 1_000
                        + " s; it may be overloaded, or what listens there is no Nimbus",
                cause);
    }

    private ConnectorException failure(Throwable cause) {
        if (cause instanceof AuthorizationException denied) {
            return new ConnectorException(
                    "Nimbus at " + where() + " refuses: " + denied.get_msg()
                            + "; ask for a right to read the topology (nimbus.users, topology.users, topology.readonly.users)",
                    cause);
        }
        if (cause instanceof NotAliveException) {
            return new ConnectorException("the topology at " + where() + " was killed", cause);
        }
        if (cause instanceof TTransportException transport && transport.getType() == TTransportException.TIMED_OUT) {
            return silent(cause);
        }
        if (cause instanceof TApplicationException) {
            return new ConnectorException(
                    "Nimbus at " + where() + " cannot tell (" + cause.getMessage()
                            + "); see its nimbus.log, and whether its Storm is 2.x",
                    cause);
        }
        if (cause instanceof IOException && cause.getMessage() != null) {
            return new ConnectorException(cause.getMessage(), cause);
        }
        return new ConnectorException(
                "what listens at " + where() + " is no Nimbus, or one with another storm.thrift.transport than "
                        + settings.get(Config.STORM_THRIFT_TRANSPORT_PLUGIN) + " (" + innermost(cause)
                        + "); --set storm.thrift.transport=… and what else Storm's client needs",
                cause);
    }

    private static String innermost(Throwable cause) {
        Throwable inner = cause;
        for (int depth = 0; inner.getCause() != null && depth < 10; depth++) {
            inner = inner.getCause();
        }
        String message = inner.getMessage();
        return message == null || message.isBlank()
                ? inner.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
    }

    @Override
    public void close() {
        caller.shutdownNow();
        close(client);
    }

    private static void close(@Nullable NimbusClient client) {
        if (client != null) {
            client.close();
        }
    }
}
