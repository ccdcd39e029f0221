// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.corpus;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import io.thalweg.run.AckSettings;
import io.thalweg.run.CheckpointSettings;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.tools.ToolProvider;

/** Planted jobs of both halves that get an advice that is an option of the command line. */
final class GainJobs {
    private GainJobs() {}

    static List<PlantedJob> all() {
        List<PlantedJob> all = new ArrayList<>();
        for (String name : List.of("checkpoints", "alignment", "max-pending", "many-threads")) {
            all.add(PlantedJob.named(name));
        }
        all.add(blind("Orders", "max-pending")
                .with((settings, folder) ->
                        settings.withAcks(AckSettings.defaults().withMaxPending(1), null)));
        all.add(blind("Profiles", "checkpoints")
                .with((settings, folder) -> settings.withGuarantee(
                        Guarantee.EXACTLY_ONCE,
                        CheckpointSettings.in(folder.resolve("kept")).every(Duration.ofMillis(50)))));
        return all;
    }

    static PlantedJob named(String name) {
        return all().stream().filter(job -> job.name().equals(name)).findFirst().orElseThrow();
    }

    /** Of the corpus, or one of these. */
    static PlantedJob any(String name) {
        return PlantedJob.all().stream()
                .filter(job -> job.name().equals(name))
                .findFirst()
                .orElseGet(() -> named(name));
    }

    private static PlantedJob blind(String name, String fault) {
        return PlantedJob.of(name, List.of(fault), () -> {
            try {
                Topology topology = Topology.named(name);
                compiled(name).define(topology, Settings.none());
                return topology.graph();
            } catch (Exception e) {
                throw new IllegalStateException("the job " + name + " cannot be defined", e);
            }
        });
    }

    /** Jobs of the blind half are files for {@code thalweg run}. */
    private static TopologyDefinition compiled(String name) throws Exception {
        Path folder = Files.createTempDirectory("gains");
        Path file = folder.resolve(name + ".java");
        try (InputStream source = GainJobs.class.getResourceAsStream("/blind/" + name + ".java")) {
            Files.write(file, Objects.requireNonNull(source).readAllBytes());
        }
        int exit = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-cp", System.getProperty("java.class.path"), file.toString());
        if (exit != 0) {
            throw new IllegalStateException(file + " cannot be compiled");
        }
        ClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, GainJobs.class.getClassLoader());
        return (TopologyDefinition)
                loader.loadClass(name).getDeclaredConstructor().newInstance();
    }
}
