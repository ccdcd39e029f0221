// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.run.FreePorts;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.storm.Config;
import org.apache.storm.shade.org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.storm.shade.org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;

/** Storm's ZooKeeper in this JVM. It listens on 127.0.0.1 only, unlike the one that a LocalCluster would start. */
public final class ZooKeeper implements Closeable {
    private static final int ROOM_BYTES = 1 << 22;

    private final ZooKeeperServerEmbedded server;
    private final int port;

    /** @param wanted 0 for any free port */
    public ZooKeeper(Path folder, int wanted) throws Exception {
        checkRoom(Files.createDirectories(folder));
        port = wanted == 0 ? FreePorts.find(1)[0] : wanted;
        Properties properties = new Properties();
        properties.setProperty("clientPortAddress", "127.0.0.1");
        properties.setProperty("clientPort", Integer.toString(port));
        properties.setProperty("admin.enableServer", "false");
        properties.setProperty("maxSessionTimeout", "3600000"); // the client chooses
        server = ZooKeeperServerEmbedded.builder()
                .baseDir(folder)
                .configuration(properties)
                .exitHandler(ExitHandler.LOG_ONLY)
                .build();
        server.start();
    }

    /**
     * Writes some bytes and removes them: a server that cannot write says so only in its log, with the stack of each thread that fails, and
     * its clients wait.
     *
     * @throws IOException as where the disk is full
     */
    static void checkRoom(Path folder) throws IOException {
        Path probe = Files.createTempFile(folder, "room", "");
        try {
            Files.write(probe, new byte[ROOM_BYTES]);
        } finally {
            Files.deleteIfExists(probe);
        }
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
