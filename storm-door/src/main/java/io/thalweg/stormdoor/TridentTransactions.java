// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.api.connector.ConnectorException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.storm.Config;
import org.apache.storm.shade.org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.storm.shade.org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;

/**
 * Where a Trident topology keeps the numbers of its transactions: a ZooKeeper server in this process, the one within Storm's own jars, on a
 * free port of the loopback address.
 */
final class TridentTransactions implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";
    private static final long START_MS = 60_000;

    private final ZooKeeperServerEmbedded server;
    private final int port;

    private TridentTransactions(ZooKeeperServerEmbedded server, int port) {
        this.server = server;
        this.port = port;
    }

    /** Whether a topology with this conf names servers of its own. */
    static boolean elsewhere(Map<String, Object> conf) {
        return conf.get(Config.TRANSACTIONAL_ZOOKEEPER_SERVERS) != null;
    }

    /**
     * Starts the server.
     *
     * @param folder of its files, those of the run before if there are any; it is made if it is not there
     * @throws ConnectorException if it does not start; one line that says why
     */
    static TridentTransactions start(Path folder) {
        Properties settings = new Properties();
        settings.setProperty("clientPortAddress", LOOPBACK);
        settings.setProperty("clientPort", "0");
        settings.setProperty("maxClientCnxns", "0"); // each task has a client of its own
        settings.setProperty("maxCnxns", "1000000"); // of 0 it warns
        settings.setProperty("admin.enableServer", "false");
        settings.setProperty("autopurge.purgeInterval", "1");
        settings.setProperty("autopurge.snapRetainCount", "3");
        try {
            ZooKeeperServerEmbedded server = ZooKeeperServerEmbedded.builder()
                    .baseDir(Files.createDirectories(folder))
                    .configuration(settings)
                    .exitHandler(ExitHandler.LOG_ONLY)
                    .build();
            server.start(START_MS);
            removeSettings(folder);
            String address = server.getConnectionString();
            return new TridentTransactions(server, Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)));
        } catch (IOException e) {
            throw problem(folder, e);
        } catch (Exception e) { // its methods declare no other
            throw problem(folder, e);
        }
    }

    /** It writes them into a new file for each start. */
    private static void removeSettings(Path folder) throws IOException {
        try (DirectoryStream<Path> written = Files.newDirectoryStream(folder, "zookeeper.configuration*.properties")) {
            for (Path each : written) {
                Files.delete(each);
            }
        }
    }

    private static ConnectorException problem(Path folder, Exception e) {
        return new ConnectorException("the transactions of Trident cannot be kept in " + folder + ": " + e, e);
    }

    /** Has a spout or bolt with this conf find the server. */
    void tell(Map<String, Object> conf) {
        conf.put(Config.TRANSACTIONAL_ZOOKEEPER_SERVERS, List.of(LOOPBACK));
        conf.put(Config.TRANSACTIONAL_ZOOKEEPER_PORT, port);
    }

    @Override
    public void close() {
        server.close();
    }
}
