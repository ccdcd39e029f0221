// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.engine.HostedSettings;
import io.thalweg.run.CheckpointSettings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is serialized into each component of a job.
 *
 * @param job unique id of each start of a topology
 * @param before that of the start before; empty for none
 * @param graph the topology, serialized with Java serialization: each task deserializes its own copy
 * @param splits of the sources
 * @param local the job runs in the JVM that started it
 * @param directory of checkpoints; empty for none
 * @param interval between checkpoints
 * @param timeout of a checkpoint
 * @param last greatest number of the checkpoints that are there
 */
record JobDescriptor(
        String job,
        String before,
        byte[] graph,
        HostedSettings settings,
        Map<Integer, List<String>> splits,
        boolean local,
        String directory,
        Duration interval,
        Duration timeout,
        int keep,
        long last)
        implements Serializable {
    /** Null if no checkpoints are taken. */
    @Nullable CheckpointSettings checkpoints() {
        return directory.isEmpty()
                ? null
                : CheckpointSettings.in(Path.of(directory))
                        .every(interval)
                        .withTimeout(timeout)
                        .keeping(keep)
                        .restoringLatest();
    }

    /** @throws TopologyException if an operator's function cannot be serialized */
    static byte[] write(TopologyGraph graph) {
        try {
            return bytes(graph);
        } catch (IOException whole) {
            for (Node node : graph.nodes()) {
                try {
                    bytes(node);
                } catch (IOException e) {
                    throw unwritable(graph, node.name(), what(node.spec()), e);
                }
            }
            throw unwritable(graph, "", "the key of a grouping", whole);
        }
    }

    private static TopologyException unwritable(TopologyGraph graph, String operator, String what, IOException e) {
        return new TopologyException(
                graph.name(),
                operator,
                what + " cannot be sent to Storm's workers, since " + e.getMessage()
                        + " is not Serializable; make that class Serializable, or keep it out of the function, in a"
                        + " transient field or made in open()");
    }

    private static String what(NodeSpec spec) {
        if (spec.source() != null) {
            return "the source";
        }
        return spec.sink() != null ? "the sink" : "the function of " + spec.kind();
    }

    private static byte[] bytes(Object object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        return bytes.toByteArray();
    }

    /** @param loader finds the job's classes */
    TopologyGraph read(ClassLoader loader) throws IOException {
        try (Loaded in = new Loaded(new ByteArrayInputStream(graph), loader)) {
            try {
                return (TopologyGraph) in.readObject();
            } catch (ClassNotFoundException | LinkageError e) {
                throw missing(in.missing == null ? String.valueOf(e.getMessage()) : in.missing, e);
            } catch (IOException e) { // also thrown for a lambda whose class is missing
                throw in.missing == null ? e : missing(in.missing, e);
            }
        }
    }

    private static IOException missing(String name, Throwable cause) {
        return new IOException("class " + name + " is missing on the worker; pass all jars that the job needs", cause);
    }

    private static final class Loaded extends ObjectInputStream {
        private final ClassLoader loader;
        private @Nullable String missing;

        Loaded(InputStream in, ClassLoader loader) throws IOException {
            super(in);
            this.loader = loader;
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
            try {
                return Class.forName(description.getName(), false, loader);
            } catch (ClassNotFoundException e) {
                return resolvePrimitive(description);
            }
        }

        private Class<?> resolvePrimitive(ObjectStreamClass description) throws IOException, ClassNotFoundException {
            try {
                return super.resolveClass(description);
            } catch (ClassNotFoundException e) {
                missing = missing == null ? description.getName() : missing;
                throw e;
            }
        }
    }
}
