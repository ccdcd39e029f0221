// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.run.Clock;
import io.thalweg.run.TemporaryFolder;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** A topology as it is sent to the processes that run its tasks. Those in one process share a {@link Host}. */
final class PortableTopology implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Where a jar has scripts. */
    private static final String IN_JARS = "resources/";

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
    private final Map<String, byte[]> scripts = new TreeMap<>();

    /** More of it, which is in a jar that travels along. */
    private final Set<String> found = new TreeSet<>();

    /** Those of its components, for {@link io.thalweg.run.JobLibraries}, which sends along what they come from. */
    @SuppressWarnings("unused")
    private final Set<Class<?>> classes;

    /** @param code as {@link Host} has it */
    PortableTopology(Layout layout, StormTopology topology, @Nullable Path code, ClassLoader loader) {
        if (!Utils.isValidConf(layout.conf)) {
            throw layout.problem(
                    "", "its configuration has values that JSON has not, and cannot be sent to other processes");
        }
        id = Host.idOf(layout.name);
        name = layout.name;
        this.topology = Utils.thriftSerialize(topology);
        conf = JSONValue.toJSONString(layout.conf);
        classes = Components.classes(layout, loader);
        if (code != null) {
            take(layout, code, loader);
        }
    }

    /** As its components are told. */
    String id() {
        return id;
    }

    private void take(Layout layout, Path code, ClassLoader loader) {
        long bytes = 0;
        try (Stream<Path> files = Files.walk(code)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String script = code.relativize(file).toString().replace(File.separatorChar, '/');
                byte[] content = Files.readAllBytes(file);
                if (Arrays.equals(content, inJar(loader, script))) {
                    found.add(script);
                    continue;
                }
                bytes += content.length;
                if (bytes > MOST_BYTES) {
                    throw layout.problem(
                            "",
                            "its folder resources has more than " + (MOST_BYTES >> 20)
                                    + " MiB that are in none of its jars, too many to send with each of its components;"
                                    + " put them into the jar");
                }
                scripts.put(script, content);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte @Nullable [] inJar(ClassLoader loader, String script) throws IOException {
        try (InputStream in = loader.getResourceAsStream(IN_JARS + script)) {
            return in == null ? null : in.readAllBytes();
        }
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
        FirstResource.readDefaults(its);
        Map<String, Object> settings = Utils.parseJson(conf);
        Layout layout = new Layout(name, Utils.thriftDeserialize(StormTopology.class, topology), settings, its);
        TemporaryFolder code = unpacked(its);
        Shared shared = new Shared(new Host(id, layout, code == null ? null : code.path(), its, true), code);
        try {
            shared.host.begin(Clock.system(), LoggerFactory.getLogger(PortableTopology.class)::warn);
        } catch (RuntimeException | Error e) {
            end(shared);
            throw e;
        }
        return shared;
    }

    private @Nullable TemporaryFolder unpacked(ClassLoader loader) {
        if (scripts.isEmpty() && found.isEmpty()) {
            return null;
        }
        try {
            TemporaryFolder folder = TemporaryFolder.make("thalweg-storm-code-");
            for (Map.Entry<String, byte[]> each : scripts.entrySet()) {
                write(folder, each.getKey(), each.getValue());
            }
            for (String script : found) {
                byte[] content = inJar(loader, script);
                if (content == null) {
                    throw new IOException(IN_JARS + script + " is in none of the jars that came with the job");
                }
                write(folder, script, content);
            }
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(TemporaryFolder folder, String script, byte[] content) throws IOException {
        Path to = folder.path().resolve(script);
        Files.createDirectories(to.getParent());
        Files.write(to, content);
    }
}
