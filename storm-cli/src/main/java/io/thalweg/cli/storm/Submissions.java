// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import io.thalweg.run.RunSettings;
import io.thalweg.stormdoor.StormDoor;
import io.thalweg.stormdoor.StormRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.storm.Config;
import org.apache.storm.generated.AlreadyAliveException;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Utils;
import org.jspecify.annotations.Nullable;

/** The topologies that the main of a jar has submitted, by whichever way. There is one such main in a process. Thread-safe. */
public final class Submissions {
    private static @Nullable Submissions current;

    private final ClassLoader loader;
    private final Path resources;
    private final Consumer<String> tell;
    private final Map<String, StormRun> runs = new LinkedHashMap<>();
    private final Map<String, Duration> waits = new LinkedHashMap<>();
    private boolean closed;
    private @Nullable RuntimeException failure;

    /** @param resources what the jar has in {@code resources} */
    Submissions(ClassLoader loader, Path resources, Consumer<String> tell) {
        this.loader = loader;
        this.resources = resources;
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

    /** Starts a topology. */
    public synchronized void submit(String name, Map<String, Object> conf, StormTopology topology)
            throws AlreadyAliveException {
        if (closed) {
            throw new IllegalStateException("the topologies are being stopped");
        }
        if (runs.containsKey(name)) {
            throw new AlreadyAliveException(name + " is submitted already");
        }
        try {
            Map<String, Object> settings = new LinkedHashMap<>(conf);
            settings.putAll(Utils.readCommandLineOpts()); // as StormSubmitter has done already
            StormDoor door = StormDoor.of(name, topology, settings, resources, loader);
            runs.put(name, door.start(RunSettings.defaults().withWarnings(tell)));
            int secs = ObjectReader.getInt(settings.get(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS), 30);
            waits.put(name, Duration.ofSeconds(Math.max(0, secs)));
            tell.accept("topology '" + name + "' runs");
        } catch (RuntimeException e) {
            failure = failure == null ? e : failure;
            throw e;
        }
    }

    /** Those that were submitted, also if they have ended. */
    synchronized Map<String, StormRun> all() {
        return new LinkedHashMap<>(runs);
    }

    /** How long Storm would wait for what is pending. */
    synchronized Duration waitOf(String name) {
        return waits.getOrDefault(name, Duration.ZERO);
    }

    synchronized @Nullable RuntimeException failure() {
        return failure;
    }

    synchronized void close() {
        closed = true;
    }

    /** A topology of this name. */
    public synchronized StormRun run(String name) throws NotAliveException {
        StormRun run = runs.get(name);
        if (run == null) {
            throw new NotAliveException(name + " was not submitted");
        }
        return run;
    }

    /** @param secs negative for as long as Storm would */
    public void kill(String name, int secs) throws NotAliveException {
        run(name).kill(secs < 0 ? waitOf(name) : Duration.ofSeconds(secs));
    }
}
