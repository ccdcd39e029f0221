// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EngineTest {
    @TempDir
    Path home;

    /** Otherwise a changed runner would be measured by its old jar. */
    @Test
    void shouldKnowTheModuleOfEachJarThatADriverRunsWith() throws Exception {
        for (String module :
                List.of("api", "flink", "lab/driver", "lab/workloads", "lab/drivers/flink", "lab/drivers/thalweg")) {
            Files.createDirectories(home.resolve(module));
            Files.createFile(home.resolve(module).resolve("pom.xml"));
        }
        List<Path> jars = Stream.of("api", "flink", "workloads", "lab-driver", "lab-flink", "lab-thalweg")
                .map(name -> Path.of("lib", "thalweg-" + name + "-0.1.0-SNAPSHOT.jar"))
                .toList();

        assertThat(Engine.modulesIn(home, jars))
                .map(module -> home.relativize(module).toString())
                .containsExactlyInAnyOrder(
                        "api", "flink", "lab/driver", "lab/workloads", "lab/drivers/flink", "lab/drivers/thalweg");
        assertThat(Engine.modulesIn(home, List.of(Path.of("lib", "flink-clients-2.3.0.jar"))))
                .isEmpty();
    }
}
