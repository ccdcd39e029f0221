// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A road that topologies can be run on, found by {@link java.util.ServiceLoader} under its name. */
public interface RunnerProvider {
    /** What users see of it, and what it needs. */
    RunnerInfo road();

    /**
     * @param settings what of them has no meaning there is refused, never ignored if results would differ
     * @param address of a cluster, {@code host:port}; null to run within this JVM
     * @param options what was given for the {@linkplain RunnerInfo#options options} of the road, by their names; nothing for those that were
     *     not
     * @param code jars with the job's own classes; empty if they are on this JVM's class path
     * @throws IllegalArgumentException if the address or an option cannot be one
     */
    Runner runner(RunSettings settings, @Nullable String address, Map<String, List<String>> options, List<Path> code);
}
