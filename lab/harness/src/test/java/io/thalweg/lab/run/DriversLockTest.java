// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.lab.driver.DriversInUse;
import io.thalweg.lab.study.Studies;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Others are processes of their own, as two calls of the lab are: one that is killed holds nothing any more. */
@DisabledOnOs(OS.WINDOWS)
final class DriversLockTest {
    private static final String FOR_THE_BUILD =
            "waiting for another call of the lab, which builds drivers in this source tree ...";
    private static final String FOR_THE_END =
            "waiting for another call of the lab in this source tree to end: it runs drivers that must be built again ...";

    @TempDir
    private Path home;

    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
    private Process other;

    @AfterEach
    void leaveNoProcess() {
        if (other != null) {
            other.destroyForcibly();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"share", "until exit"})
    void shouldBeSharedByThoseWhoRunDrivers_andNotReplacedUnderThem(String how) throws Exception {
        start(how);
        try (DriversLock lock = new DriversLock(home)) {
            lock.share(said::add);
            assertThat(said).isEmpty();

            CompletableFuture<Void> alone = CompletableFuture.runAsync(() -> lock.takeAlone(said::add));
            assertThat(said.take()).isEqualTo(FOR_THE_END);
            assertThat(alone).isNotDone();
            other.destroyForcibly();
            alone.join();
        }
    }

    @Test
    void shouldWaitForWhoBuilds() throws Exception {
        start("alone");
        try (DriversLock lock = new DriversLock(home)) {
            CompletableFuture<Void> shared = CompletableFuture.runAsync(() -> lock.share(said::add));
            assertThat(said.take()).isEqualTo(FOR_THE_BUILD);
            assertThat(shared).isNotDone();
            other.destroyForcibly();
            shared.join();
        }
    }

    @Test
    void shouldBuildADriverOnlyWhenNobodyRunsThoseThatAreThere() throws Exception {
        Path module = Files.createDirectories(home.resolve("lab/drivers/mine"));
        Files.writeString(module.resolve("driver.yaml"), """
                engine: mine
                main: no.such.Driver
                variants: {one: {says: it does not start}}
                """);
        Files.writeString(module.resolve("lib.sha256"), "");
        Path maven = Files.writeString(home.resolve("mvnw"), """
                #!/bin/sh
                mkdir -p lab/drivers/mine/target/fast/dist/lib
                """);
        Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwx------"));
        Path study = Files.writeString(home.resolve("study.yaml"), """
                name: own
                title: my own
                engines: {mine: [one]}
                settings: {workload: relay}
                cases: [{name: a, title: the only one}]
                """);
        start("share");
        LabRun.Wish wish = new LabRun.Wish(List.of(Studies.find(study.toString())), List.of(), true, 1, 1);
        try (LabRun lab = new LabRun(home, "0", said::add)) {
            CompletableFuture<Void> run = CompletableFuture.runAsync(() -> lab.run(wish));
            assertThat(said.take()).isEqualTo(FOR_THE_END);
            assertThat(home.resolve("lab/drivers/mine/target/fast")).doesNotExist();
            other.destroyForcibly();
            assertThat(said.take()).isEqualTo("building the driver of mine (first use) ...");
            run.join();
            assertThat(home.resolve("lab/drivers/mine/target/fast/dist/built")).exists();
        }
    }

    /** Until it has the lock. */
    private void start(String how) throws IOException {
        other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Other.class.getName(),
                        home.toString(),
                        how)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader reader = other.inputReader(StandardCharsets.UTF_8);
        assertThat(reader.readLine()).isEqualTo("has it");
    }

    /** Holds it until it is killed, or its input ends. */
    public static final class Other {
        private Other() {}

        public static void main(String[] arguments) throws IOException {
            try (DriversLock lock = new DriversLock(Path.of(arguments[0]))) {
                if (arguments[1].equals("alone")) {
                    lock.takeAlone(line -> {});
                } else if (arguments[1].equals("share")) {
                    lock.share(line -> {});
                } else {
                    DriversInUse.shareUntilExit(Path.of(arguments[0]), line -> {});
                }
                System.out.println("has it");
                System.in.transferTo(System.out);
            }
        }
    }
}
