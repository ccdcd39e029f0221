// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.storm.Config;
import org.apache.storm.shade.org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.storm.shade.org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;

/** Storm's ZooKeeper in this JVM. It listens on 127.0.0.1 only, unlike the one that a LocalCluster would start. */
public final class ZooKeeper implements Closeable {
    /**
     * Below the ports that systems give away by themselves: until a server listens, its port is free, and any client may be given
     * one of those.
     */
    private static final int LOWEST_PORT = 20_000;

    private static final int BEYOND_PORTS = 32_768;
    private static final int TRIES = 1_000;

    /** Given in this JVM: until a server listens there, such a port looks free. */
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private final ZooKeeperServerEmbedded server;
    private final int port;

    /** @param wanted 0 for any free port */
    public ZooKeeper(Path folder, int wanted) throws Exception {
        port = wanted == 0 ? freePorts(1)[0] : wanted;
        Properties properties = new Properties();
        properties.setProperty("clientPortAddress", "127.0.0.1");
        properties.setProperty("clientPort", Integer.toString(port));
        properties.setProperty("admin.enableServer", "false");
        properties.setProperty("maxSessionTimeout", "3600000"); // the client chooses
        server = ZooKeeperServerEmbedded.builder()
                .baseDir(Files.createDirectories(folder))
                .configuration(properties)
                .exitHandler(ExitHandler.LOG_ONLY)
                .build();
        server.start();
    }

    /** Ports of 127.0.0.1 that were free a moment ago, all different. */
    static int[] freePorts(int count) throws IOException {
        int[] ports = new int[count];
        for (int i = 0; i < count; i++) {
            ports[i] = freePort();
        }
        return ports;
    }

    private static int freePort() throws IOException {
        for (int tries = 0; tries < TRIES; tries++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, BEYOND_PORTS);
            if (!GIVEN.add(port)) {
                continue;
            }
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (IOException e) {
                // somebody has it
            }
        }
        throw new IOException("no port from " + LOWEST_PORT + " to " + (BEYOND_PORTS - 1) + " of this machine is free");
    }

    /** Storm settings with which daemons and clients find this ZooKeeper. */
    public Map<String, Object> settings() {
        return Map.of(Config.STORM_ZOOKEEPER_SERVERS, List.of("127.0.0.1"), Config.STORM_ZOOKEEPER_PORT, port);
    }

    @Override
    public void close() {
        server.close();
    }
}
