// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.testkit.ListeningSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Looks all the time whether something of this JVM, or of a process below it, listens beyond the loopback. */
final class SocketWatch implements AutoCloseable {
    /** A look takes 10 ms of CPU time: the kernel goes through its whole tables. */
    private static final long PAUSE_NS = 50_000_000;

    private final Set<ListeningSocket> open = ConcurrentHashMap.newKeySet();
    private final Thread thread = new Thread(this::look, "looks at sockets");
    private volatile boolean done;

    private SocketWatch() {}

    /** Sees nothing on a system without Linux's tables of sockets. */
    static SocketWatch start() {
        SocketWatch watch = new SocketWatch();
        if (ListeningSocket.canBeListed()) {
            watch.thread.setDaemon(true);
            watch.thread.start();
        }
        return watch;
    }

    private void look() {
        while (!done) {
            open.addAll(ListeningSocket.beyondLoopback());
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    /** At the end, when clusters are up still, and at any time before. */
    void shouldHaveSeenLoopbackAlone() {
        if (ListeningSocket.canBeListed()) {
            open.addAll(ListeningSocket.beyondLoopback());
        }
        assertThat(open).as("sockets that others can reach").isEmpty();
    }

    @Override
    public void close() {
        done = true;
    }
}
