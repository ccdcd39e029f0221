// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A road that topologies can be run on, found by {@link java.util.ServiceLoader} under its name. */
public interface RunnerProvider {
    /** {@code flink}, as in {@code --on flink}. */
    String name();

    /**
     * @param settings what of them has no meaning there is refused, never ignored if results would differ
     * @param address of a cluster, {@code host:port}; null to run within this JVM
     * @param code jars with the job's own classes; empty if they are on this JVM's class path
     * @throws IllegalArgumentException if the address cannot be one
     */
    Runner runner(RunSettings settings, @Nullable String address, List<Path> code);
}
