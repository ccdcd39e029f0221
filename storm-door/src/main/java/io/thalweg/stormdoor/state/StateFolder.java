// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.state;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.run.CacheFolder;
import io.thalweg.run.LockedFile;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.storm.task.TopologyContext;
import org.jspecify.annotations.Nullable;

/**
 * Where the state of a topology's tasks is: a folder of its name, with a file for each task, which no other process uses meanwhile.
 * Thread-safe.
 */
public final class StateFolder implements AutoCloseable {
    private static final Map<String, StateFolder> ALL = new ConcurrentHashMap<>();
    private static final String SHAPE = "tasks";
    private static final String LOCK = "lock";

    /** How the name of the state ends in which Storm keeps how far a window is. While it recovers, Storm does not prepare it. */
    private static final String OF_WINDOW = "-window";

    private final String run;
    private final Path folder;
    private final LockedFile lock;
    private final ClassLoader loader;
    private final List<FileState<?, ?>> states = new ArrayList<>();
    private volatile @Nullable RuntimeException failure;

    private StateFolder(String run, Path folder, LockedFile lock, ClassLoader loader) {
        this.run = run;
        this.folder = folder;
        this.lock = lock;
        this.loader = loader;
    }

    /**
     * Opens the folder of a topology, which is made if it is not there.
     *
     * @param run what the contexts of the topology's tasks have as {@code getStormId}
     * @param tasks of each component: state belongs to tasks, so they must be those that it was written with
     * @param loader finds the topology's classes
     * @throws ConnectorException if it cannot be used; one line that says why
     */
    public static StateFolder open(
            Path all, String topology, String run, Map<String, List<Integer>> tasks, ClassLoader loader) {
        String name = URLEncoder.encode(topology, StandardCharsets.UTF_8);
        if (name.isEmpty() || name.equals(".") || name.equals("..")) {
            throw new ConnectorException("the state of topology '" + topology + "' cannot be kept in " + all
                    + ", since no folder there can have its name; name it otherwise");
        }
        Path folder = all.resolve(name);
        try {
            if (!Files.isDirectory(folder)) {
                CacheFolder.ownerOnly(folder);
            }
            LockedFile lock = LockedFile.tryLock(folder.resolve(LOCK));
            if (lock == null) {
                throw new ConnectorException("the state of topology '" + topology + "' in " + folder
                        + " is used by another run; stop that one, or name another folder");
            }
            try {
                check(folder, topology, new TreeMap<>(tasks));
            } catch (IOException | RuntimeException e) {
                lock.close();
                throw e;
            }
            StateFolder opened = new StateFolder(run, folder, lock, loader);
            ALL.put(run, opened);
            return opened;
        } catch (IOException e) {
            throw new ConnectorException(
                    "the state of topology '" + topology + "' cannot be kept in " + folder + ": " + e, e);
        }
    }

    private static void check(Path folder, String topology, Map<String, List<Integer>> tasks) throws IOException {
        List<String> lines = new ArrayList<>();
        tasks.forEach((component, its) -> lines.add(component + " " + its));
        Path shape = folder.resolve(SHAPE);
        if (!Files.exists(shape)) {
            StateLog.replace(shape, (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
            return;
        }
        List<String> before = Files.readAllLines(shape);
        if (!before.equals(lines)) {
            List<String> gone = new ArrayList<>(before);
            gone.removeAll(lines);
            List<String> come = new ArrayList<>(lines);
            come.removeAll(before);
            throw new ConnectorException("the state of topology '" + topology + "' in " + folder
                    + " belongs to other tasks: it had " + gone + " and has " + come
                    + "; run it with those components, tasks and ackers, or remove the folder to begin anew");
        }
    }

    static StateFolder of(String run) {
        StateFolder found = ALL.get(run);
        if (found == null) {
            throw new ConnectorException("this topology has no folder for its state; add topology.state.directory");
        }
        return found;
    }

    /** Where it is. */
    public Path path() {
        return folder;
    }

    synchronized FileState<Object, Object> state(String namespace, Map<String, Object> conf, TopologyContext context) {
        Path file = folder.resolve(URLEncoder.encode(namespace, StandardCharsets.UTF_8) + ".log");
        StateSerializer keys = new StateSerializer(conf, context, loader);
        StateSerializer values = new StateSerializer(conf, context, loader);
        FileState<Object, Object> made = new FileState<>(
                namespace, StateLog.open(file, namespace.endsWith(OF_WINDOW)), keys, values, this::fail);
        states.add(made);
        return made;
    }

    private void fail(RuntimeException problem) {
        failure = failure == null ? problem : failure;
    }

    /** Storm takes a state that cannot be written for a checkpoint to be tried again: whoever runs the topology asks here. */
    public @Nullable RuntimeException failure() {
        return failure;
    }

    /** Closes the files. May be called again. */
    @Override
    public synchronized void close() {
        ALL.remove(run, this);
        states.forEach(FileState::close);
        try {
            lock.close();
        } catch (IOException e) {
            // the process ends soon, and its locks with it
        }
    }
}
