// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server on a free port of this machine that sends the same to each who connects, and then closes the connection. */
public final class LoopbackServer implements Closeable {
    private final ServerSocket listening;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private volatile byte[] bytes = {};
    private volatile int pieceBytes = 1;
    private volatile boolean closes = true;

    private LoopbackServer(ServerSocket listening) {
        this.listening = listening;
        Thread accepting = new Thread(this::accept, "loopback-server");
        accepting.setDaemon(true);
        accepting.start();
    }

    public static LoopbackServer start() {
        try {
            return new LoopbackServer(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String address() {
        return "127.0.0.1:" + listening.getLocalPort();
    }

    /** @param size of the pieces that it sends one by one */
    public void serve(byte[] all, int size) {
        pieceBytes = size;
        bytes = all.clone();
    }

    /** Leaves connections open when everything is sent. */
    public LoopbackServer keepOpen() {
        closes = false;
        return this;
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket socket = listening.accept();
                open.add(socket);
                Thread sending = new Thread(() -> send(socket), "loopback-sender");
                sending.setDaemon(true);
                sending.start();
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void send(Socket to) {
        try {
            to.setTcpNoDelay(true);
            OutputStream out = to.getOutputStream();
            for (int at = 0; at < bytes.length; at += pieceBytes) {
                out.write(bytes, at, Math.min(pieceBytes, bytes.length - at));
                out.flush();
            }
            if (closes) {
                to.close();
            }
        } catch (IOException e) {
            // who was sent it has gone
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
