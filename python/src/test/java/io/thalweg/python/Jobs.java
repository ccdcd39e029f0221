// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import io.thalweg.run.RunningJob;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** What the tests of this module share. */
final class Jobs {
    private Jobs() {}

    /** A file of Python that is among the resources, so that it is found in the jar of these tests too. */
    static Path script(Path folder, String name) {
        try (InputStream in = Objects.requireNonNull(Jobs.class.getResourceAsStream(name), name)) {
            return Files.write(folder.resolve(name), in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A file with this source. */
    static Path source(Path folder, String name, String source) {
        try {
            return Files.writeString(folder.resolve(name), source);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static RunningJob start(Topology topology, RunSettings settings) {
        return new EmbeddedRunner(settings).start(topology.graph());
    }

    /**
     * The processes of Python that this JVM has started, now. Until one runs Python it is the JVM's own image, then the JDK's spawn
     * helper: to kill it there fails its start, which is no fault of the operator.
     */
    static List<ProcessHandle> children() {
        return ProcessHandle.current()
                .children()
                .filter(child -> child.info().command().orElse("").contains("python"))
                .toList();
    }

    static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            if (Thread.currentThread().isInterrupted()) { // its time is up, and it would not park any more
                throw new IllegalStateException("interrupted");
            }
            LockSupport.parkNanos(200_000);
        }
    }
}
