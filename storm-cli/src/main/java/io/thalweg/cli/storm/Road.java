// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import io.thalweg.cli.UsageException;
import io.thalweg.run.JobLibraries;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.run.RunnerProvider;
import io.thalweg.stormdoor.StormDoor;
import io.thalweg.stormdoor.StormRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Where {@code --on} leads, if it is not this engine.
 *
 * @param address of a cluster; null for one within this process
 */
record Road(RunnerProvider provider, @Nullable String address) {
    static final String EMBEDDED = "embedded";
    private static final String FLINK = "flink";

    /**
     * Null for this engine.
     *
     * @throws UsageException if it leads nowhere
     */
    static @Nullable Road of(String on) {
        if (on.equals(EMBEDDED)) {
            return null;
        }
        String[] parts = on.split("=", 2);
        if (parts[0].equals("storm")) {
            throw new UsageException(
                    "--on storm is not for topologies of Storm: give the jar to Storm itself, storm jar");
        }
        if (!parts[0].equals(FLINK)) {
            throw new UsageException("--on is one of embedded, flink, flink=HOST:PORT, not " + on);
        }
        for (RunnerProvider provider : ServiceLoader.load(RunnerProvider.class, Road.class.getClassLoader())) {
            if (provider.road().name().equals(FLINK)) {
                return new Road(provider, parts.length > 1 ? parts[1] : null);
            }
        }
        throw new UsageException(
                "--on flink needs thalweg-flink on the class path, with all dependencies; ./thalweg adds them");
    }

    String name() {
        return provider.road().name();
    }

    /** @param jars with the topology's classes */
    StormRun start(StormDoor door, RunSettings settings, List<Path> jars) {
        List<Path> code = new ArrayList<>(jars);
        if (address == null) {
            // Storm finds classes of the topology by names, in its own loader: one has both, as on a cluster.
            code.addAll(JobLibraries.of(door.portable(), List.of(provider.getClass())));
        }
        StormRun run = door.start(runner(settings, code));
        String withoutEffect = door.withoutEffect();
        if (withoutEffect != null) {
            settings.warnings().accept(withoutEffect);
        }
        return run;
    }

    private Runner runner(RunSettings settings, List<Path> code) {
        try {
            return provider.runner(settings, address, Map.of(), code);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--on " + name() + ": " + e.getMessage());
        }
    }
}
