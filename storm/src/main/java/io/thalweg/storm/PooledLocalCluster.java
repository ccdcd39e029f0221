// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.run.TemporaryFolder;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.LocalCluster;
import org.apache.storm.StormTimer;
import org.apache.storm.daemon.supervisor.Supervisor;
import org.apache.storm.generated.LocalAssignment;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.metricstore.NoOpMetricStore;
import org.jspecify.annotations.Nullable;

/**
 * A LocalCluster from a pool, because starting one takes seconds. Closing one ends the workers of all others in this
 * JVM ({@code LocalCluster.close}). So unused ones stay open until no job has used any for a while.
 */
public final class PooledLocalCluster {
    private static final long LINGER_S = 5;

    /** Storm considers a worker dead after this time without a heartbeat. Here heartbeats stop only if the whole JVM does. */
    private static final int PATIENCE_S = 1_000_000;

    /** Nimbus halts this JVM if its session with ZooKeeper ends. */
    private static final int SESSION_MS = 3_600_000;

    private static final int SLOTS = 8;

    private static final int RELEASE_LOOKS = 6_000;
    private static final int RELEASE_LOOK_MS = 10;

    /** Disables cleaning: Storm's supervisor halts the JVM if the files of a topology are removed while it releases them. */
    private static final int NEVER_MS = Integer.MAX_VALUE;

    private static final Set<String> FAST_TIMERS = Set.of("flush-tuple-timer", "backpressure-check-timer");
    private static final int SUBMIT_ATTEMPTS = 3;
    private static final Deque<PooledLocalCluster> IDLE = new ArrayDeque<>();

    /** Clusters that must not be used again; guarded by {@link #IDLE}. */
    private static final List<PooledLocalCluster> DISCARDED = new ArrayList<>();

    /** The number of clusters in use; guarded by {@link #IDLE}. */
    private static int used;

    /** Closes all; guarded by {@link #IDLE}. */
    private static @Nullable ScheduledFuture<?> closing;

    private static final ScheduledExecutorService CLOSING = Executors.newSingleThreadScheduledExecutor(runnable -> {
        Thread thread = new Thread(runnable, "thalweg-storm-closing");
        thread.setDaemon(true);
        return thread;
    });

    private final TemporaryFolder folder;
    private final ZooKeeper zooKeeper;
    private final LocalCluster cluster;
    private final Supervisor supervisor;

    private record Started(LocalCluster cluster, Supervisor supervisor) {}

    private PooledLocalCluster() throws Exception {
        folder = TemporaryFolder.make("thalweg-storm-");
        zooKeeper = new ZooKeeper(folder.path().resolve("zookeeper"), 0);
        Map<String, Object> settings = new HashMap<>(zooKeeper.settings());
        settings.put(Config.STORM_LOCAL_HOSTNAME, "127.0.0.1");
        settings.put(
                Config.STORM_WORKERS_ARTIFACTS_DIR,
                folder.path().resolve("artifacts").toString()); // not in the current directory
        settings.put(DaemonConfig.SUPERVISOR_MONITOR_FREQUENCY_SECS, 1);
        settings.put(DaemonConfig.NIMBUS_MONITOR_FREQ_SECS, 1);
        settings.put(Config.SUPERVISOR_WORKER_SHUTDOWN_SLEEP_SECS, 0);
        settings.put(Config.TASK_REFRESH_POLL_SECS, 1);
        settings.put(Config.SUPERVISOR_WORKER_TIMEOUT_SECS, PATIENCE_S);
        settings.put(DaemonConfig.SUPERVISOR_WORKER_START_TIMEOUT_SECS, PATIENCE_S);
        settings.put(DaemonConfig.NIMBUS_TASK_TIMEOUT_SECS, PATIENCE_S);
        settings.put(DaemonConfig.NIMBUS_TASK_LAUNCH_SECS, PATIENCE_S);
        settings.put(DaemonConfig.NIMBUS_SUPERVISOR_TIMEOUT_SECS, PATIENCE_S);
        settings.put(Config.STORM_ZOOKEEPER_SESSION_TIMEOUT, SESSION_MS);
        settings.put(Config.SUPERVISOR_MEMORY_CAPACITY_MB, 1 << 20);
        settings.put(Config.SUPERVISOR_CPU_CAPACITY, 1 << 20);
        settings.put(DaemonConfig.STORM_DAEMON_METRICS_REPORTER_PLUGINS, List.of());
        // Metrics are not read here, and the default, RocksDB, may abort a JVM that ends while it writes.
        settings.put(DaemonConfig.STORM_METRIC_STORE_CLASS, NoOpMetricStore.class.getName());
        settings.put(DaemonConfig.SUPERVISOR_LOCALIZER_CACHE_CLEANUP_INTERVAL_MS, NEVER_MS);
        Started started = start(settings, folder.path());
        cluster = started.cluster;
        supervisor = started.supervisor;
    }

    /**
     * LocalCluster makes its folders where {@code java.io.tmpdir} says, whatever its settings, and deletes them only when it is
     * closed. Those inside the temporary folder are deleted with it, at the latest when this JVM ends. {@code File} and {@code
     * Files} read the property once, with their first temporary file: that must not be now, or later ones of the program would be
     * in the folder, too.
     */
    private static synchronized Started start(Map<String, Object> settings, Path folder) throws Exception {
        Files.delete(File.createTempFile("first", null, folder.toFile()).toPath());
        Files.delete(Files.createTempFile(folder, "first", null));
        String before = System.setProperty("java.io.tmpdir", folder.toString());
        try {
            LocalCluster started = new LocalCluster.Builder()
                    .withSupervisors(0)
                    .withDaemonConf(settings)
                    .build();
            return new Started(started, started.addSupervisor(SLOTS));
        } finally {
            System.setProperty("java.io.tmpdir", before);
        }
    }

    /** Returns an unused cluster, or a new one. The caller must call {@link #leave} or {@link #discard} once. */
    public static PooledLocalCluster take() throws Exception {
        synchronized (IDLE) { // held while some are being closed
            if (closing != null) {
                closing.cancel(false);
                closing = null;
            }
            used++;
            PooledLocalCluster idle = IDLE.poll();
            if (idle != null) {
                return idle;
            }
        }
        try {
            return new PooledLocalCluster();
        } catch (Throwable thrown) {
            synchronized (IDLE) {
                used--;
            }
            throw thrown;
        }
    }

    /**
     * Submits a topology; retries, because Nimbus may be removing the folder that a file of the topology is about to be
     * put in.
     */
    public void submit(String name, Map<String, Object> config, StormTopology topology) throws Exception {
        for (int attempt = 1; ; attempt++) {
            try {
                cluster.submitTopology(name, config, topology);
                return;
            } catch (RuntimeException e) {
                if (attempt == SUBMIT_ATTEMPTS || !(rootOf(e) instanceof IOException)) {
                    throw e;
                }
            }
        }
    }

    private static Throwable rootOf(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    /**
     * Kills a topology that has begun to run. Its worker must not end first: the supervisor would start another one,
     * and halt this JVM if the topology is removed meanwhile.
     *
     * @return true if Storm has killed it
     */
    public boolean kill(String name) {
        disarmTimers();
        try {
            cluster.killTopologyWithOpts(name, LocalCluster.KILL_NOW);
            return true;
        } catch (Exception e) {
            return false;
        }
    }

    /**
     * Waits until the supervisor has released a topology that was killed, with a limit. Its tasks have ended before that, and until then
     * the supervisor reads and deletes files of it: without them it would complain, and halt this JVM.
     */
    void awaitReleased(String name) throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        for (int look = 0; look < RELEASE_LOOKS && holds(name); look++) {
            boolean unused = never.await(RELEASE_LOOK_MS, TimeUnit.MILLISECONDS);
        }
    }

    /** The name of a topology begins its id, and no other's. */
    private boolean holds(String name) {
        return held().stream().anyMatch(id -> id.startsWith(name + "-"));
    }

    /** Ids of the topologies that the supervisor has not released. */
    List<String> held() {
        Map<Long, LocalAssignment> bySlot = supervisor.getCurrAssignment().get();
        return bySlot == null
                ? List.of()
                : bySlot.values().stream().map(LocalAssignment::get_topology_id).toList();
    }

    /** For what tests ask of it. */
    LocalCluster cluster() {
        return cluster;
    }

    /**
     * Keeps timers of workers from halting this JVM: a timer that fires every few milliseconds, as for flushing
     * batches, considers it a failure to be closed while it fires ({@code StormTimer.scheduleRecurringMs}).
     */
    static void disarmTimers() {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread instanceof StormTimer.StormTimerTask timer && FAST_TIMERS.contains(thread.getName())) {
                timer.setOnKillFunc((own, thrown) -> {});
            }
        }
    }

    /** Returns the cluster to the pool. */
    void leave() {
        synchronized (IDLE) {
            IDLE.push(this);
            used--;
            if (used == 0) {
                closing = CLOSING.schedule(PooledLocalCluster::closeUnused, LINGER_S, TimeUnit.SECONDS);
            }
        }
    }

    /** Gives the cluster up: it is never used again. */
    public void discard() {
        synchronized (IDLE) {
            DISCARDED.add(this);
            used--;
            closeUnused();
        }
    }

    private static void closeUnused() {
        synchronized (IDLE) {
            if (used > 0) {
                return;
            }
            disarmTimers();
            DISCARDED.addAll(IDLE);
            IDLE.clear();
            DISCARDED.forEach(PooledLocalCluster::close);
            DISCARDED.clear();
        }
    }

    /** Closes the cluster; failures are ignored. */
    private void close() {
        try {
            cluster.close();
        } catch (Exception e) {
            // its threads end with this JVM
        }
        zooKeeper.close();
        folder.close();
    }
}
