// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.testkit.ListeningSocket;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** Somebody who finds a port of a cluster and has no key: it takes any certificate, and shows none. */
final class Stranger {
    private static final int PATIENCE_MS = 120_000;
    private static final byte[] REQUEST = ("POST /jobs HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n"
                    + "Content-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
            .getBytes(StandardCharsets.US_ASCII);

    private Stranger() {}

    static boolean canFindPorts() {
        return ListeningSocket.canBeListed();
    }

    /** From none of the ports of a cluster's processes, all of which are on the loopback. */
    static void shouldGetNoAnswer(List<ProcessHandle> processes) throws Exception {
        List<ListeningSocket> sockets = processes.stream()
                .flatMap(process -> ListeningSocket.of(process).stream())
                .toList();
        assertThat(sockets)
                .as("REST, RPC, files, data")
                .hasSizeGreaterThan(3)
                .allMatch(socket -> socket.address().isLoopbackAddress());
        for (ListeningSocket socket : sockets) {
            shouldGetNoAnswer(socket.port());
        }
    }

    /** Neither through TLS nor without. */
    static void shouldGetNoAnswer(int port) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            assertThat(answer(socket))
                    .as("plain, from port %d: nothing, an alert of TLS, or the way to it", port)
                    .doesNotContain("Access-Control")
                    .matches("(?s)|\\x15.*|HTTP/1.1 30[1278] .*");
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Gullible()}, new SecureRandom());
        try (Socket socket = context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
            assertThat(answer(socket)).as("through TLS, from port %d", port).isEmpty();
        }
    }

    private static String answer(Socket socket) throws IOException {
        socket.setSoTimeout(PATIENCE_MS);
        try {
            socket.getOutputStream().write(REQUEST);
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (SSLException | java.net.SocketException e) {
            return "";
        }
    }

    private static final class Gullible extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
