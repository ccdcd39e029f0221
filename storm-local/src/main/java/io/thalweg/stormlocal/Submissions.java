// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormlocal;

import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.stormdoor.StormDoor;
import io.thalweg.stormdoor.StormRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
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

/**
 * Topologies that were submitted: all that the main of a jar has submitted, by whichever way, or those of one LocalCluster in a test.
 * Thread-safe.
 */
public final class Submissions {
    /** Starts topologies, and does with those that run whatever else is to be done. Any thread may call. */
    public interface Host {
        /**
         * Translates a topology.
         *
         * @param conf over Storm's defaults
         * @throws io.thalweg.api.graph.TopologyException if it cannot run
         */
        StormDoor door(String name, StormTopology topology, Map<String, Object> conf);

        /** Starts it. */
        StormRun start(StormDoor door, RunSettings settings);

        /** It runs. What is returned is called when it has ended, perhaps more than once. */
        Runnable opened(Submitted its, RunSettings settings);

        /** Where topologies run, in a line about one of them; empty for this process. */
        default String where() {
            return "";
        }

        /** Tells the user a line. */
        void tell(String line);
    }

    /** One of them. Its name is free again when it has ended. */
    public static final class Submitted {
        private final String name;
        private final StormRun run;
        private final StormTopology topology;
        private final Map<String, Object> conf;
        private final Duration wait;

        /** Tells those who wait for its end; null before anybody can. */
        private volatile @Nullable Runnable ending;

        private volatile boolean killed;

        private Submitted(String name, StormRun run, StormTopology topology, Map<String, Object> conf, Duration wait) {
            this.name = name;
            this.run = run;
            this.topology = topology;
            this.conf = Collections.unmodifiableMap(conf);
            this.wait = wait;
        }

        /**
         * Ends it, and returns at once.
         *
         * @param within how long what is pending has
         */
        public void kill(Duration within) {
            killed = true;
            run.kill(within);
        }

        /** How long Storm would give to what is pending when it is killed: its message timeout. */
        public Duration patience() {
            return wait;
        }

        /** Tells those who wait for its end; once is enough. */
        public void close() {
            Runnable told = ending;
            if (told != null) {
                told.run();
            }
        }

        /** As it was submitted. */
        public String name() {
            return name;
        }

        /** What it is while it runs. */
        public StormRun run() {
            return run;
        }

        /** Whether it has, also by a failure. */
        public boolean ended() {
            try {
                return run.job().await(Duration.ZERO);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        /** Whether somebody has had it ended, which may take a while. */
        public boolean killed() {
            return killed;
        }

        /** As it was submitted. */
        public StormTopology topology() {
            return topology.deepCopy();
        }

        /** With which it was submitted, over Storm's defaults. */
        public Map<String, Object> conf() {
            return conf;
        }

        private void activate(boolean on) {
            if (on) {
                run.activate();
            } else {
                run.deactivate();
            }
        }

        /**
         * Ends it, and waits some seconds until it has.
         *
         * @return its failure; null if it has not failed
         * @throws InterruptedException if the thread was interrupted meanwhile
         */
        public @Nullable JobFailedException end() throws InterruptedException {
            killed = true;
            try {
                run.stop(Duration.ZERO);
                return null;
            } catch (JobFailedException e) {
                return e;
            }
        }
    }

    private static @Nullable Submissions current;

    private final Host host;
    private final List<Submitted> submitted = new ArrayList<>();

    /** What the daemons of each LocalCluster that is open are told, the newest last. */
    private final Map<Object, Map<String, Object>> daemons = new LinkedHashMap<>();

    private boolean closed;
    private final List<RuntimeException> failures = new ArrayList<>();

    private Submissions(Host host) {
        this.host = host;
    }

    /** Those of the main of a jar, which is about to run: all that is submitted in this process from now on. */
    public static synchronized Submissions ofMain(Host host) {
        current = new Submissions(host);
        return current;
    }

    /** Of a LocalCluster: those of the main that runs in this process; where there is none, its own, as in a test. */
    public static synchronized Submissions ofCluster() {
        return current == null ? new Submissions(new ThisJvm()) : current;
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
            StormDoor door = host.door(name, topology, settings);
            if (options != null && options.is_set_creds()) {
                host.tell("topology '" + name + "' is submitted with credentials, which no component gets here");
            }
            boolean inactive = options != null && options.get_initial_status() == TopologyInitialStatus.INACTIVE;
            if (inactive) {
                door.deactivate();
            }
            int secs = ObjectReader.getInt(settings.get(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS), 30);
            RunSettings its = RunSettings.defaults().withWarnings(host::tell);
            Submitted made = new Submitted(
                    name, host.start(door, its), topology, settings, Duration.ofSeconds(Math.max(0, secs)));
            submitted.add(made);
            made.ending = host.opened(made, its);
            host.tell("topology '" + name + "' runs" + host.where()
                    + (inactive ? ", inactive until it is activated" : ""));
            return made;
        } catch (RuntimeException e) {
            failures.add(e);
            throw e;
        }
    }

    /** Whether they are those of the main that runs in this process, of whose failures the user is told. */
    public boolean isOfMain() {
        synchronized (Submissions.class) {
            return current == this;
        }
    }

    /** Those that were submitted, also if they have ended, in this order. */
    public synchronized List<Submitted> all() {
        return new ArrayList<>(submitted);
    }

    /** Whether a topology of this name runs, also if it was killed and has not ended yet. */
    public synchronized boolean runs(String name) {
        return submitted.stream().anyMatch(each -> each.name.equals(name) && !each.ended());
    }

    /** The one of this name that runs. */
    Submitted named(String name) throws NotAliveException {
        return alive(name, each -> each.name.equals(name));
    }

    /** The one of this id, which its components are told, that runs. */
    Submitted of(String id) throws NotAliveException {
        return alive(id, each -> each.run.id().equals(id));
    }

    private Submitted alive(String what, Predicate<Submitted> is) throws NotAliveException {
        return all().stream()
                .filter(each -> is.test(each) && !each.ended())
                .findFirst()
                .orElseThrow(() -> new NotAliveException(what + " is not alive"));
    }

    /** Tells those who wait for the end of a topology that has ended. */
    public void settle() {
        all().stream().filter(Submitted::ended).forEach(Submitted::close);
    }

    /** Why each topology that could not be started could not; empty if all were. */
    public synchronized List<RuntimeException> failures() {
        return List.copyOf(failures);
    }

    /** No topology is taken any more. */
    public synchronized void close() {
        closed = true;
    }

    /**
     * Activates the topology of this name, the last one if there were several.
     *
     * @throws NotAliveException if there is none, or it has ended
     */
    public void activate(String name) throws NotAliveException {
        alive(name).activate(true);
    }

    /** The same, the other way round. */
    public void deactivate(String name) throws NotAliveException {
        alive(name).activate(false);
    }

    private Submitted alive(String name) throws NotAliveException {
        Submitted its = last(name);
        if (its.ended()) {
            throw new NotAliveException(name + " has ended");
        }
        return its;
    }

    private synchronized Submitted last(String name) throws NotAliveException {
        for (int i = submitted.size() - 1; i >= 0; i--) {
            if (submitted.get(i).name.equals(name)) {
                return submitted.get(i);
            }
        }
        throw new NotAliveException(name + " was not submitted");
    }

    /**
     * Ends the topology of this name, the last one if there were several. One that has ended stays as it is: on Storm one that was killed
     * is there for as long as it waits, and may be killed again.
     *
     * @param options how long to wait for what is pending; null, or without that, for as long as Storm would
     * @throws NotAliveException if there is none
     */
    public void kill(String name, @Nullable KillOptions options) throws NotAliveException {
        Submitted its = last(name);
        its.kill(
                options != null && options.is_set_wait_secs()
                        ? Duration.ofSeconds(Math.max(0, options.get_wait_secs()))
                        : its.wait);
    }
}
