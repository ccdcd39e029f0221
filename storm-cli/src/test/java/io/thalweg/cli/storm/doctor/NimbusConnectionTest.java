// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.run.Clock;
import io.thalweg.testkit.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.storm.Config;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.security.auth.SimpleTransportPlugin;
import org.apache.storm.security.auth.ThriftConnectionType;
import org.apache.storm.security.auth.ThriftServer;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(900)
final class NimbusConnectionTest {
    private static final String LOOPBACK = "127.0.0.1";

    /** For what answers, on a machine however busy. */
    private static final Duration LONG = Duration.ofMinutes(2);

    /** For tests, as Storm says, and deprecated for others. */
    private static final String PLAIN = "org.apache.storm.security.auth.plain.PlainSaslTransportPlugin";

    /** Or the collector would close those who are told nothing. */
    private final List<Socket> callers = new CopyOnWriteArrayList<>();

    @AfterEach
    void hangUp() throws IOException {
        for (Socket caller : callers) {
            caller.close();
        }
    }

    private static NimbusConnection to(int port) {
        return to(port, LONG);
    }

    private static NimbusConnection to(int port, Duration atMost) {
        return new NimbusConnection(LOOPBACK, port, Utils.readDefaultConfig(), atMost);
    }

    /** Writes this to the first one who calls and closes the connection; null for one who says nothing. */
    private ServerSocket answering(byte[] answer) throws IOException {
        ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(() -> {
            try {
                while (true) {
                    Socket caller = server.accept();
                    callers.add(caller);
                    if (answer.length > 0 && caller.getInputStream().read() >= 0) { // the first call is a mere attempt
                        caller.getOutputStream().write(answer);
                        caller.close();
                    }
                }
            } catch (IOException e) {
                // it is closed
            }
        });
        thread.setDaemon(true);
        thread.start();
        return server;
    }

    @Test
    void shouldSayThatNoNimbusIsThere() throws Exception {
        int free = FreePort.find();
        try (NimbusConnection nimbus = to(free)) {
            assertThatThrownBy(() -> nimbus.call(client -> client.getClusterInfo()))
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageStartingWith("no Nimbus answers at 127.0.0.1:" + free)
                    .hasMessageContaining("6627");
        }
    }

    @Test
    void shouldSayThatSomethingElseAnswers() throws Exception {
        byte[] other = "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        try (ServerSocket server = answering(other);
                NimbusConnection nimbus = to(server.getLocalPort())) {
            assertThatThrownBy(() -> nimbus.call(client -> client.getClusterInfo()))
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageStartingWith("what listens at 127.0.0.1:" + server.getLocalPort()
                            + " is no Nimbus, or one with another storm.thrift.transport than"
                            + " org.apache.storm.security.auth.SimpleTransportPlugin")
                    .hasMessageNotContaining("\n");
        }
    }

    /** As many bytes as an int can say. */
    @Test
    void shouldNotTakeAnAnswerWithoutBounds() throws Exception {
        byte[] endless = {0x7f, -1, -1, -1, 0, 0, 0, 0};
        try (ServerSocket server = answering(endless);
                NimbusConnection nimbus = to(server.getLocalPort())) {
            assertThatThrownBy(() -> nimbus.call(client -> client.getClusterInfo()))
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageContaining("2147483647");
        }
    }

    @Test
    void shouldNotWaitForOneThatSaysNothing() throws Exception {
        try (ServerSocket server = answering(new byte[0]);
                NimbusConnection nimbus = to(server.getLocalPort(), Duration.ofMillis(1_500))) {
            assertThatThrownBy(() -> nimbus.call(client -> client.getClusterInfo()))
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageStartingWith("Nimbus at 127.0.0.1:" + server.getLocalPort() + " has not answered for");
        }
    }

    /** A Nimbus with this security, and what its clients need. */
    private static ThriftServer nimbus(String transport, Map<String, Object> settings) {
        settings.put(Config.STORM_THRIFT_TRANSPORT_PLUGIN, transport);
        settings.put(Config.NIMBUS_THRIFT_PORT, 0);
        ThriftServer server = new ThriftServer(
                settings, new Nimbus.Processor<>(new FakeNimbus().client()), ThriftConnectionType.NIMBUS);
        Thread thread = new Thread(server::serve);
        thread.setDaemon(true);
        thread.start();
        return server;
    }

    private static String topology(NimbusConnection nimbus) throws InterruptedException {
        return nimbus.call(client -> new TopologyObserver(client, "there", "counting", Clock.system()))
                .name();
    }

    @Test
    void shouldAskANimbusThroughThrift() throws Exception {
        ThriftServer server = nimbus(SimpleTransportPlugin.class.getName(), Utils.readDefaultConfig());
        try (NimbusConnection nimbus = to(server.getPort())) {
            assertThat(topology(nimbus)).isEqualTo("counting");
        } finally {
            server.stop();
        }
    }

    @Test
    void shouldSayThatANimbusHasAnotherSecurityPlugin() throws Exception {
        Map<String, Object> settings = Utils.readDefaultConfig();
        ThriftServer server = nimbus(PLAIN, settings);
        try (NimbusConnection simple = to(server.getPort());
                NimbusConnection plain = new NimbusConnection(LOOPBACK, server.getPort(), settings, LONG)) {
            assertThatThrownBy(() -> topology(simple))
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageContaining("127.0.0.1:" + server.getPort())
                    .hasMessageContaining("no Nimbus")
                    .hasMessageNotContaining("\n");
            assertThat(topology(plain)).isEqualTo("counting");
        } finally {
            server.stop();
        }
    }

    @Test
    void shouldTellWhatNimbusRefuses() throws Exception {
        try (ServerSocket server = answering(new byte[0]);
                NimbusConnection nimbus = to(server.getLocalPort())) {
            assertThatThrownBy(() -> nimbus.call(client -> {
                        throw new AuthorizationException("getTopologyConf is not authorized");
                    }))
                    .hasMessageContaining("refuses: getTopologyConf is not authorized")
                    .hasMessageContaining("topology.readonly.users");
            assertThatThrownBy(() -> nimbus.call(client -> {
                        throw new NotAliveException("x");
                    }))
                    .hasMessageContaining("was killed");
            assertThat(nimbus.<String>call(client -> "still there")).isEqualTo("still there");
        }
    }
}
