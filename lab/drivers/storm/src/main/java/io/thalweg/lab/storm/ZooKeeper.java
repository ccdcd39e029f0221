// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import io.thalweg.lab.driver.JavaProcess;
import java.io.Closeable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.storm.Config;
import org.apache.storm.shade.org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.storm.shade.org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;

/** The ZooKeeper that Storm brings, in this JVM. It listens on 127.0.0.1 alone, unlike the one a LocalCluster would start. */
final class ZooKeeper implements Closeable {
    private final ZooKeeperServerEmbedded server;
    private final int port;

    ZooKeeper(Path folder) throws Exception {
        port = JavaProcess.freePorts(1)[0];
        Properties properties = new Properties();
        properties.setProperty("clientPortAddress", "127.0.0.1");
        properties.setProperty("clientPort", Integer.toString(port));
        properties.setProperty("admin.enableServer", "false");
        server = ZooKeeperServerEmbedded.builder()
                .baseDir(Files.createDirectories(folder))
                .configuration(properties)
                .exitHandler(ExitHandler.LOG_ONLY)
                .build();
        server.start();
    }

    /** How Storm's daemons and clients find it. */
    Map<String, Object> settings() {
        return Map.of(Config.STORM_ZOOKEEPER_SERVERS, List.of("127.0.0.1"), Config.STORM_ZOOKEEPER_PORT, port);
    }

    @Override
    public void close() {
        server.close();
    }
}
