// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Hands bytes to a server of this machine and back; frozen, it accepts connections and does nothing for them. */
final class Forwarder implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final int port;
    private volatile boolean frozen;

    Forwarder(int port) throws IOException {
        this.port = port;
        start(() -> {
            while (true) {
                Socket from = kept(listening.accept());
                if (!frozen) {
                    Socket server = kept(new Socket(InetAddress.getLoopbackAddress(), port));
                    start(() -> from.getInputStream().transferTo(server.getOutputStream()));
                    start(() -> server.getInputStream().transferTo(from.getOutputStream()));
                }
            }
        });
    }

    /** To the server of a PostgreSQL URL. */
    static Forwarder to(String url) throws IOException {
        return new Forwarder(Integer.parseInt(url.replaceAll(".*:(\\d+)/.*", "$1")));
    }

    /** The same URL by this way. */
    String through(String url) {
        return url.replace(":" + port + "/", ":" + listening.getLocalPort() + "/");
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException e) {
                // closed
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private Socket kept(Socket socket) {
        open.add(socket);
        return socket;
    }

    void freeze() {
        frozen = true;
    }

    /** Ends all connections, of which either side hears; others may be made. */
    void cut() throws IOException {
        for (Socket each : open) {
            each.close();
        }
        open.clear();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        cut();
    }
}
