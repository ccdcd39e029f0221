// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.lab.result.Results;
import io.thalweg.lab.study.Studies;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
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

    /** Times say nothing of what is copied, or checked out by a tool that sets them: the old jar would be measured under the new commit. */
    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldBuildAgain_whereASourceIsAnotherOne_whateverItsTime() throws Exception {
        Path source = module("api").resolve("src/main/java/A.java");
        Files.createDirectories(source.getParent());
        Files.writeString(source, "class A {}");
        Path classes = Files.createDirectories(home.resolve("api/target/fast/classes"));
        Path driver = module("lab/drivers/a");
        Files.writeString(driver.resolve("driver.yaml"), """
                engine: a
                main: no.such.Driver
                variants: {one: {says: it does not start}}
                """);
        Files.writeString(driver.resolve("lib.sha256"), "");
        maven("");
        List<String> said = new ArrayList<>();

        assertThat(built(said)).containsExactly("building the driver of a (first use) ...");
        assertThat(built(said)).as("nothing has changed").isEmpty();
        assertThat(classes).exists();

        FileTime time = FileTime.from(Instant.parse("2001-01-01T00:00:00Z"));
        Files.setLastModifiedTime(source, time);
        assertThat(built(said)).as("only its time is another one").isEmpty();
        assertThat(classes).exists();

        Files.writeString(source, "class B {}");
        Files.setLastModifiedTime(source, time);
        assertThat(built(said)).containsExactly("building the driver of a (sources changed) ...");
        assertThat(classes).as("which Maven would take for those of the source").doesNotExist();
        assertThat(built(said)).isEmpty();

        Files.delete(source);
        maven("echo 'class C {}' >api/src/main/java/C.java"); // while it is built
        assertThat(built(said)).hasSize(1);
        maven("");
        assertThat(built(said)).hasSize(1);
        assertThat(built(said)).isEmpty();
    }

    private Path module(String name) throws Exception {
        Path module = Files.createDirectories(home.resolve(name));
        Files.writeString(module.resolve("pom.xml"), "");
        return module;
    }

    /** Makes the jars, and does something else. */
    private void maven(String besides) throws Exception {
        Path maven = Files.writeString(home.resolve("mvnw"), """
                #!/bin/sh
                mkdir -p lab/drivers/a/target/fast/dist/lib
                echo jar >lab/drivers/a/target/fast/dist/lib/thalweg-api-0.1.0.jar
                %s
                """.formatted(besides));
        Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwx------"));
    }

    /** What another call of the lab says of its build; nothing if there is none. */
    private List<String> built(List<String> said) {
        said.clear();
        Engine engine = Engine.all(home).get("a");
        boolean must = engine.mustBeBuilt();
        engine.prepare(said::add);
        assertThat(said.isEmpty()).isNotEqualTo(must);
        return said;
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
