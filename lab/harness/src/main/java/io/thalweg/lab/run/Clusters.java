// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Clusters and brokers, which stay up from cell to cell while there is memory for them. */
final class Clusters {
    /** What the process of an engine takes at most, and what its processes take where it is a cluster: Flink, in both cases. */
    private static final long PROCESS_BYTES = 5_000L << 20;

    private static final long CLUSTER_BYTES = 9_700L << 20;

    private final WorkFolder work;
    private final Consumer<String> say;
    private final LongSupplier freeBytes;

    /** By engine, in the order in which they were started. */
    private final Map<String, DriverProcess> running = Collections.synchronizedMap(new LinkedHashMap<>());

    /** @param freeBytes how much memory of the machine is to be had */
    Clusters(WorkFolder work, Consumer<String> say, LongSupplier freeBytes) {
        this.work = work;
        this.say = say;
        this.freeBytes = freeBytes;
    }

    /** The engine's cluster; a new one if none is up. */
    DriverProcess of(Engine engine) throws IOException {
        String name = engine.description().engine();
        DriverProcess known = running.get(name);
        if (known != null && known.isAlive()) {
            return known;
        }
        makeRoom(CLUSTER_BYTES);
        DriverProcess started = DriverProcess.start(engine, work.newFolder(), null);
        running.put(name, started);
        return started;
    }

    boolean isUp(String engine) {
        DriverProcess known = running.get(engine);
        return known != null && known.isAlive();
    }

    /** Makes room in memory for an engine in one process. */
    void makeRoomForOne() {
        makeRoom(PROCESS_BYTES);
    }

    /**
     * Ends clusters, the one that was started first before others, while there is not memory enough for one more; that of the engine
     * whose turn it is, too, which does nothing for a cell in one process. The brokers stay: they hold topics that cells to come read.
     */
    private void makeRoom(long bytes) {
        for (String name : List.copyOf(running.keySet())) {
            DriverProcess cluster = running.get(name);
            if (cluster != null && freeBytes.getAsLong() < bytes && !name.equals("kafka")) {
                say.accept("ending the cluster of " + name + ", to make room in memory");
                end(name, cluster);
            }
        }
    }

    /** Ends a process, which may be a cluster. */
    void end(String engine, DriverProcess process) {
        process.close();
        work.tryDelete(process.folder());
        running.remove(engine, process);
    }

    /** At once. Any thread may call. */
    void kill() {
        running.values().forEach(DriverProcess::kill);
    }

    void close() {
        running.values().forEach(DriverProcess::close);
        running.clear();
    }
}
