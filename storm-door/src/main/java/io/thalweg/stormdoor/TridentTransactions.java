// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.api.connector.ConnectorException;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.storm.Config;
import org.apache.storm.shade.org.apache.zookeeper.server.ServerConfig;
import org.apache.storm.shade.org.apache.zookeeper.server.ZooKeeperServerMain;
import org.apache.storm.shade.org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.storm.shade.org.apache.zookeeper.server.persistence.Util;
import org.apache.storm.shade.org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a Trident topology keeps the numbers of its transactions: a ZooKeeper server in this process, the one within Storm's own jars, on a
 * free port of the loopback address.
 */
final class TridentTransactions implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TridentTransactions.class);
    private static final String LOOPBACK = "127.0.0.1";
    private static final long START_MS = 60_000;
    private static final long END_MS = 10_000;
    private static final int PROBE_BYTES = 1 << 16;
    private static final String DATA = "data";

    /** With the logs since the oldest of them. */
    private static final int KEPT_SNAPSHOTS = 3;

    private static final long CLEANUP_HOURS = 1;

    private static final class Server extends ZooKeeperServerMain {
        final CompletableFuture<Integer> port = new CompletableFuture<>();

        @Override
        protected void serverStarted() {
            port.complete(getClientPort());
        }

        /** It could not begin, and what it has begun is to end. */
        void giveUp() {
            shutdown();
        }
    }

    private final Path folder;
    private final Server server = new Server();
    private final ScheduledExecutorService cleanup =
            Executors.newSingleThreadScheduledExecutor(task -> Host.daemon(task, "thalweg-trident-cleanup"));
    private final Thread thread;
    private volatile boolean closed;
    private volatile @Nullable RuntimeException failure;
    private volatile Consumer<RuntimeException> told = problem -> {};

    private TridentTransactions(Path folder, QuorumPeerConfig settings) {
        this.folder = folder;
        ServerConfig config = new ServerConfig();
        config.readFrom(settings);
        thread = Host.daemon(() -> run(config), "thalweg-trident");
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
        endNoProcess();
        TridentTransactions started;
        try {
            started = new TridentTransactions(folder, settings(folder));
        } catch (IOException | QuorumPeerConfig.ConfigException e) {
            throw problem(folder, e);
        }
        started.thread.start();
        try {
            started.server.port.get(START_MS, TimeUnit.MILLISECONDS);
            var unused = started.cleanup.scheduleWithFixedDelay(
                    () -> removeOld(folder.resolve(DATA)), 0, CLEANUP_HOURS, TimeUnit.HOURS);
            return started;
        } catch (RejectedExecutionException e) {
            return started; // it has ended already, and failure() says why
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException its ? its : problem(folder, e);
        } catch (TimeoutException e) {
            started.close();
            throw new ConnectorException(
                    "the transactions of Trident cannot be kept in " + folder + ": their server has not begun within "
                            + START_MS / 1_000 + " s",
                    e);
        } catch (InterruptedException e) {
            started.close();
            Thread.currentThread().interrupt();
            throw problem(folder, e);
        }
    }

    /**
     * Where the server cannot go on, it would end this process: what it does there fails instead. The class that is called has an
     * annotation of a library that is not here, which the compiler warns of.
     */
    private static void endNoProcess() {
        Consumer<Integer> fails = code -> {
            throw new IllegalStateException("it would end its process with exit code " + code);
        };
        try {
            Class.forName(ZooKeeperServerMain.class.getPackageName().replaceFirst("server$", "util.ServiceUtils"))
                    .getMethod("setSystemExitProcedure", Consumer.class)
                    .invoke(null, fails);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a ZooKeeper is not as that of Storm 2.8", e);
        }
    }

    private static QuorumPeerConfig settings(Path folder) throws IOException, QuorumPeerConfig.ConfigException {
        Properties settings = new Properties();
        settings.setProperty(
                "dataDir",
                Files.createDirectories(folder.resolve(DATA)).toAbsolutePath().toString());
        settings.setProperty("clientPortAddress", LOOPBACK);
        settings.setProperty("clientPort", "0");
        settings.setProperty("maxClientCnxns", "0"); // each task has a client of its own
        settings.setProperty("maxCnxns", "1000000"); // of 0 it warns
        settings.setProperty("admin.enableServer", "false");
        QuorumPeerConfig config = new QuorumPeerConfig();
        config.parseProperties(settings);
        return config;
    }

    /** The server's thread: until it is closed, or cannot go on. */
    private void run(ServerConfig config) {
        Throwable thrown = null;
        try {
            server.runFromConfig(config);
        } catch (Exception | LinkageError e) {
            thrown = e;
            server.giveUp();
        }
        cleanup.shutdownNow();
        if (!closed) {
            RuntimeException its = problem(folder, thrown);
            failure = its;
            server.port.completeExceptionally(its);
            told.accept(its);
        }
    }

    /** What no snapshot that is kept needs. ZooKeeper's own cleanup prints to standard output what it removes. */
    private static void removeOld(Path data) {
        try {
            FileTxnSnapLog files = new FileTxnSnapLog(data.toFile(), data.toFile());
            List<File> newest = files.findNValidSnapshots(KEPT_SNAPSHOTS);
            if (newest.size() < KEPT_SNAPSHOTS) {
                return;
            }
            long oldest = Util.getZxidFromName(newest.get(KEPT_SNAPSHOTS - 1).getName(), "snapshot");
            Set<File> needed = Set.of(files.getSnapshotLogs(oldest));
            try (DirectoryStream<Path> all =
                    Files.newDirectoryStream(files.getSnapDir().toPath(), "{log,snapshot}.*")) {
                for (Path each : all) {
                    String name = each.getFileName().toString();
                    long first = Math.max(Util.getZxidFromName(name, "log"), Util.getZxidFromName(name, "snapshot"));
                    if (first >= 0 && first < oldest && !needed.contains(each.toFile())) {
                        Files.delete(each);
                    }
                }
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("old transactions of Trident in {} are not removed: {}", data, e.toString());
        }
    }

    private static ConnectorException problem(Path folder, @Nullable Throwable thrown) {
        return new ConnectorException(
                "the transactions of Trident cannot be kept in " + folder + ": " + reason(folder, thrown), thrown);
    }

    /** What is wrong with a file that is written there now, as where the disk is full; or else what was thrown. */
    private static String reason(Path folder, @Nullable Throwable thrown) {
        try {
            Path probe = Files.createTempFile(folder, "probe", "");
            try {
                Files.write(probe, new byte[PROBE_BYTES]);
            } finally {
                Files.deleteIfExists(probe);
            }
        } catch (FileSystemException e) {
            return e.getReason() == null ? e.toString() : e.getReason();
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
        return thrown == null
                ? "their server has ended, and has logged why"
                : (thrown instanceof IOException ? thrown.getMessage() : thrown)
                        + "; if its files are damaged, restore them from a copy, or remove it to begin with the first"
                        + " transaction";
    }

    /** Has a spout or bolt with this conf find the server. */
    void tell(Map<String, Object> conf) {
        conf.put(Config.TRANSACTIONAL_ZOOKEEPER_SERVERS, List.of(LOOPBACK));
        conf.put(Config.TRANSACTIONAL_ZOOKEEPER_PORT, server.port.join());
    }

    /** Why the server has ended by itself; null if it has not. */
    @Nullable RuntimeException failure() {
        return failure;
    }

    /**
     * Who asks the server for something then is told nothing for a minute.
     *
     * @param its gets why it has ended by itself, perhaps twice
     */
    void onFailure(Consumer<RuntimeException> its) {
        told = its;
        RuntimeException before = failure;
        if (before != null) {
            its.accept(before);
        }
    }

    @Override
    public void close() {
        closed = true;
        if (!server.port.isDone() || failure != null) {
            thread.interrupt();
            return;
        }
        server.close();
        try {
            thread.join(END_MS);
            var unused = cleanup.awaitTermination(END_MS, TimeUnit.MILLISECONDS); // or it makes the folder again
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
