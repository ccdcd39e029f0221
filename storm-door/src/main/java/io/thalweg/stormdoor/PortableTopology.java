// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.run.Clock;
import io.thalweg.run.TemporaryFolder;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.utils.Utils;
import org.jspecify.annotations.Nullable;

/** A topology as it is sent to the processes that run its tasks. Those in one process share a {@link Host}. */
final class PortableTopology implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Each operator brings them along. */
    private static final long MOST_BYTES = 4 << 20;

    /** By the ids of their topologies. Guarded by itself. */
    private static final Map<String, Shared> HERE = new HashMap<>();

    private static final class Shared {
        final Host host;
        final @Nullable TemporaryFolder code;
        int tasks;

        Shared(Host host, @Nullable TemporaryFolder code) {
            this.host = host;
            this.code = code;
        }
    }

    private final String id;
    private final String name;
    private final byte[] topology;
    private final String conf;

    /** What the folder of scripts has, by relative paths. */
    private final Map<String, byte[]> resources;

    /** @param code as {@link Host} has it */
    PortableTopology(Layout layout, StormTopology topology, @Nullable Path code) {
        if (!Utils.isValidConf(layout.conf)) {
            throw layout.problem(
                    "", "its configuration has values that JSON has not, and cannot be sent to other processes");
        }
        id = Host.idOf(layout.name);
        name = layout.name;
        this.topology = Utils.thriftSerialize(topology);
        conf = JSONValue.toJSONString(layout.conf);
        resources = code == null ? new TreeMap<>() : filesOf(layout, code);
    }

    private static Map<String, byte[]> filesOf(Layout layout, Path code) {
        Map<String, byte[]> all = new TreeMap<>();
        long bytes = 0;
        try (Stream<Path> files = Files.walk(code)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                bytes += Files.size(file);
                if (bytes > MOST_BYTES) {
                    throw layout.problem(
                            "",
                            "its folder resources has more than " + (MOST_BYTES >> 20)
                                    + " MiB, which are too many to send with each of its components; run it in this process");
                }
                all.put(code.relativize(file).toString(), Files.readAllBytes(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    /** To be called once by each task that begins in this process. */
    Host join() {
        synchronized (HERE) {
            Shared shared = HERE.get(id);
            if (shared == null) {
                shared = arrived();
                HERE.put(id, shared);
            }
            shared.tasks++;
            return shared.host;
        }
    }

    /** To be called once by each task that has joined, at its end. */
    void leave() {
        synchronized (HERE) {
            Shared shared = HERE.get(id);
            if (shared != null && --shared.tasks == 0) {
                HERE.remove(id);
                end(shared);
            }
        }
    }

    private static void end(Shared shared) {
        try {
            shared.host.end();
        } finally {
            if (shared.code != null) {
                shared.code.close();
            }
        }
    }

    private Shared arrived() {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        ClassLoader its = loader == null ? PortableTopology.class.getClassLoader() : loader;
        Map<String, Object> settings = Utils.parseJson(conf);
        Layout layout = new Layout(name, Utils.thriftDeserialize(StormTopology.class, topology), settings, its);
        TemporaryFolder code = unpacked();
        Shared shared = new Shared(new Host(id, layout, code == null ? null : code.path(), its, true), code);
        try {
            shared.host.begin(Clock.system());
        } catch (RuntimeException | Error e) {
            end(shared);
            throw e;
        }
        return shared;
    }

    private @Nullable TemporaryFolder unpacked() {
        if (resources.isEmpty()) {
            return null;
        }
        try {
            TemporaryFolder folder = TemporaryFolder.make("thalweg-storm-code-");
            for (Map.Entry<String, byte[]> file : resources.entrySet()) {
                Path to = folder.path().resolve(file.getKey());
                Files.createDirectories(to.getParent());
                Files.write(to, file.getValue());
            }
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
