// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.stormdoor.StormDoor;
import io.thalweg.stormdoor.StormRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.storm.Config;
import org.apache.storm.generated.AlreadyAliveException;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.TopologyInitialStatus;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Utils;
import org.jspecify.annotations.Nullable;

/** The topologies that the main of a jar has submitted, by whichever way. There is one such main in a process. Thread-safe. */
public final class Submissions {
    /** One of them. Its name is free again when it has ended. */
    public static final class Submitted {
        private final String name;
        private final StormRun run;
        private final Duration wait;
        private final TopologyControl control;
        private volatile boolean killed;
        private volatile boolean inactive;

        private Submitted(
                String name,
                StormRun run,
                String on,
                RunSettings settings,
                Duration wait,
                Duration grace,
                Consumer<String> tell) {
            this.name = name;
            this.run = run;
            this.wait = wait;
            control = new TopologyControl(name, run, on, settings, drained -> kill(drained ? wait : grace), tell);
        }

        private void kill(Duration within) {
            killed = true;
            run.kill(within);
        }

        /** Tells those who wait for its end; once is enough. */
        void close() {
            control.close();
        }

        String name() {
            return name;
        }

        /** What it is while it runs. */
        public StormRun run() {
            return run;
        }

        /** Whether it has, also by a failure. */
        boolean ended() {
            try {
                return run.job().await(Duration.ZERO);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        /** In the words of Storm. */
        String status() {
            return killed ? "KILLED" : inactive ? "INACTIVE" : "ACTIVE";
        }

        private void activate(boolean on) {
            if (on) {
                run.activate();
            } else {
                run.deactivate();
            }
            inactive = !on;
        }

        /**
         * Ends it, and waits some seconds until it has.
         *
         * @throws InterruptedException if the thread was interrupted meanwhile
         */
        public void end() throws InterruptedException {
            killed = true;
            try {
                run.stop(Duration.ZERO);
            } catch (JobFailedException e) {
                // whoever waits for all of them is told, too
            }
        }
    }

    private static @Nullable Submissions current;

    private final ClassLoader loader;
    private final List<Path> jars;
    private final Path resources;
    private final @Nullable Road road;
    private final Consumer<String> tell;
    private final List<Submitted> submitted = new ArrayList<>();
    private final Duration grace;

    /** What the daemons of each LocalCluster that is open are told, the newest last. */
    private final Map<Object, Map<String, Object>> daemons = new LinkedHashMap<>();

    private boolean closed;
    private @Nullable RuntimeException failure;

    /**
     * @param loader of the jars
     * @param resources what the jar has in {@code resources}
     * @param road where topologies run; null for this process
     * @param grace how long what is pending has when {@code thalweg stop} ends a topology
     */
    Submissions(
            ClassLoader loader,
            List<Path> jars,
            Path resources,
            @Nullable Road road,
            Duration grace,
            Consumer<String> tell) {
        this.loader = loader;
        this.jars = List.copyOf(jars);
        this.resources = resources;
        this.road = road;
        this.grace = grace;
        this.tell = tell;
        synchronized (Submissions.class) {
            current = this;
        }
    }

    /** Those of this process. */
    public static synchronized Submissions current() {
        if (current == null) {
            throw new IllegalStateException("thalweg storm run starts this");
        }
        return current;
    }

    /** As long as a LocalCluster is open, whoever submits to no other one submits to it. */
    public synchronized void open(Object cluster, Map<String, Object> daemonConf) {
        daemons.put(cluster, daemonConf);
    }

    /** It is closed. */
    public synchronized void close(Object cluster) {
        daemons.remove(cluster);
    }

    /** What topologies that are submitted to no certain LocalCluster find below their own conf. */
    synchronized Map<String, Object> daemonConf() {
        Map<String, Object> newest = Map.of();
        for (Map<String, Object> each : daemons.values()) {
            newest = each;
        }
        return newest;
    }

    /** Starts a topology. */
    public Submitted submit(String name, Map<String, Object> conf, StormTopology topology)
            throws AlreadyAliveException {
        return submit(name, conf, topology, null);
    }

    /**
     * Starts a topology.
     *
     * @param options null for those that Storm has by default
     */
    public synchronized Submitted submit(
            String name, Map<String, Object> conf, StormTopology topology, @Nullable SubmitOptions options)
            throws AlreadyAliveException {
        if (closed) {
            throw new IllegalStateException("the topologies are being stopped");
        }
        if (runs(name)) {
            throw new AlreadyAliveException(name + " is submitted already");
        }
        try {
            Map<String, Object> settings = new LinkedHashMap<>(conf);
            settings.putAll(Utils.readCommandLineOpts()); // as StormSubmitter has done already
            StormDoor door = StormDoor.of(name, topology, settings, resources, loader);
            if (options != null && options.is_set_creds()) {
                tell.accept("topology '" + name + "' is submitted with credentials, which no component gets here");
            }
            boolean inactive = options != null && options.get_initial_status() == TopologyInitialStatus.INACTIVE;
            if (inactive) {
                door.deactivate();
            }
            int secs = ObjectReader.getInt(settings.get(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS), 30);
            RunSettings its = RunSettings.defaults().withWarnings(tell);
            StormRun run = road == null ? door.start(its) : road.start(door, its, jars);
            String on = road == null ? Road.EMBEDDED : road.name();
            Submitted made = new Submitted(name, run, on, its, Duration.ofSeconds(Math.max(0, secs)), grace, tell);
            made.inactive = inactive;
            submitted.add(made);
            made.control.open();
            tell.accept("topology '" + name + "' runs" + (road == null ? "" : " on " + road.name())
                    + (inactive ? ", inactive until it is activated" : ""));
            return made;
        } catch (RuntimeException e) {
            failure = failure == null ? e : failure;
            throw e;
        }
    }

    /** Whether they run on another engine. */
    boolean elsewhere() {
        return road != null;
    }

    /** Those that were submitted, also if they have ended, in this order. */
    public synchronized List<Submitted> all() {
        return new ArrayList<>(submitted);
    }

    /** Whether a topology of this name runs, also if it was killed and has not ended yet. */
    synchronized boolean runs(String name) {
        return submitted.stream().anyMatch(each -> each.name.equals(name) && !each.ended());
    }

    /** Tells those who wait for the end of a topology that has ended. */
    void settle() {
        all().stream().filter(Submitted::ended).forEach(Submitted::close);
    }

    synchronized @Nullable RuntimeException failure() {
        return failure;
    }

    synchronized void close() {
        closed = true;
    }

    /** Activates the topology of this name, the last one if there were several. */
    public void activate(String name) throws NotAliveException {
        last(name).activate(true);
    }

    /** The same, the other way round. */
    public void deactivate(String name) throws NotAliveException {
        last(name).activate(false);
    }

    private synchronized Submitted last(String name) throws NotAliveException {
        for (int i = submitted.size() - 1; i >= 0; i--) {
            if (submitted.get(i).name.equals(name)) {
                return submitted.get(i);
            }
        }
        throw new NotAliveException(name + " was not submitted");
    }

    /** @param options how long to wait for what is pending; null, or without that, for as long as Storm would */
    public void kill(String name, @Nullable KillOptions options) throws NotAliveException {
        Submitted its = last(name);
        its.kill(
                options != null && options.is_set_wait_secs()
                        ? Duration.ofSeconds(Math.max(0, options.get_wait_secs()))
                        : its.wait);
    }
}
