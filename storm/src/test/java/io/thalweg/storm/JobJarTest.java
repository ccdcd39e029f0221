// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Topology;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.apache.storm.Config;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is sent to the workers of a cluster. */
@Tag("integration")
final class JobJarTest {
    /** Where the front end for Storm's topologies is on the class path, it names Storm as a library that it needs. */
    @Test
    void shouldLeaveOutWhatWorkersHave() throws Exception {
        Topology topology = Topology.named("numbers");
        topology.from(Sources.generate(1, n -> n)).to(Sinks.discard());

        Path written = JobJar.write(topology.graph(), List.of(placeOf(Config.class), placeOf(JSONValue.class)));
        try (JarFile jar = new JarFile(written.toFile())) {
            assertThat(jar.stream().map(JarEntry::getName))
                    .contains("io/thalweg/storm/JobJar.class")
                    .noneMatch(name -> name.equals("defaults.yaml") || name.startsWith("org/apache/storm/"));
        } finally {
            Files.delete(written);
        }
    }

    private static Path placeOf(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}
