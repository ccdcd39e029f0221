// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers on this machine that begin to listen later, or again. They are below those that systems give away by themselves (from
 * 32768 on Linux, from 49152 on others): of these, another process has one soon, and a client that tries to reach a server which is away is
 * given the server's own port sooner or later, so that the server cannot come back. Thread-safe.
 */
public final class FreePorts {
    private static final int LOWEST = 20_000;
    private static final int BEYOND = 32_768;
    private static final int TRIES = 1_000;

    /** Given in this JVM: until somebody listens there, such a port looks free. */
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private FreePorts() {}

    /**
     * Ports of the loopback where nobody listens now, all different, and others than those of the calls before.
     *
     * @throws IOException if there are none
     */
    public static int[] find(int count) throws IOException {
        int[] ports = new int[count];
        for (int i = 0; i < count; i++) {
            ports[i] = find();
        }
        return ports;
    }

    private static int find() throws IOException {
        if (GIVEN.size() > (BEYOND - LOWEST) / 2) {
            GIVEN.clear(); // most of their servers have ended long ago
        }
        for (int tries = 0; tries < TRIES; tries++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, BEYOND);
            if (!GIVEN.add(port)) {
                continue;
            }
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (IOException e) {
                // somebody has it
            }
        }
        throw new IOException("no port from " + LOWEST + " to " + (BEYOND - 1) + " of this machine is free");
    }
}
