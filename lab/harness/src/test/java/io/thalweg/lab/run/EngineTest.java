// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.lab.result.Results;
import io.thalweg.lab.study.Studies;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
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

    /** A build that went on would do so beside that of another lab. */
    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldEndABuildAndBeginNoOther_whenTheLabIsToldToEnd() throws Exception {
        for (String engine : List.of("a", "b")) {
            Path module = Files.createDirectories(home.resolve("lab/drivers").resolve(engine));
            Files.writeString(module.resolve("driver.yaml"), """
                    engine: %s
                    main: no.such.Driver
                    variants: {one: {says: it does not start}}
                    """.formatted(engine));
        }
        Path pipe = home.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Path maven = Files.writeString(home.resolve("mvnw"), """
                #!/bin/sh
                echo $$ >pipe
                exec tail -f /dev/null
                """);
        Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwx------"));
        Path study = Files.writeString(home.resolve("study.yaml"), """
                name: own
                title: my own
                engines: {a: [one], b: [one]}
                settings: {workload: relay}
                cases: [{name: a, title: the only one}]
                """);
        LabRun.Wish wish = new LabRun.Wish(List.of(Studies.find(study.toString())), List.of(), true, 1, 1);
        List<String> said = new CopyOnWriteArrayList<>();
        try (LabRun lab = new LabRun(home, "0", said::add)) {
            CompletableFuture<Results> run = CompletableFuture.supplyAsync(() -> lab.run(wish));
            ProcessHandle builds = ProcessHandle.of(
                            Long.parseLong(Files.readString(pipe).strip()))
                    .orElseThrow();

            lab.kill();

            builds.onExit().get(2, TimeUnit.MINUTES);
            assertThatThrownBy(run::join).hasRootCauseMessage("it was interrupted");
        }
        assertThat(said).contains("building the driver of a (first use) ...").noneMatch(line -> line.contains("of b"));
    }
}
