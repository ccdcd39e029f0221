// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JavaProcessTest {
    private static final Duration A_WHILE = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    /** Stays until it is ended. */
    static final class Forever {
        private Forever() {}

        public static void main(String[] arguments) throws InterruptedException {
            new CountDownLatch(1).await();
        }
    }

    /** A driver with a cluster of one process. */
    public static final class Parent {
        private Parent() {}

        public static void main(String[] arguments) throws Exception {
            JavaProcess child = start("child", Path.of(arguments[0]), Forever.class);
            Files.writeString(Path.of(arguments[0], "pid"), child.pid() + ".");
            Forever.main(arguments);
            child.close();
        }
    }

    public static final class Broken {
        private Broken() {}

        public static void main(String[] arguments) {
            if (arguments.length > 0) {
                throw new IllegalStateException("no disk");
            }
        }
    }

    @Test
    void shouldNotOutliveAParentThatIsKilled() throws Exception {
        try (JavaProcess parent = start("parent", folder, Parent.class)) {
            Path pid = folder.resolve("pid");
            parent.await(() -> Files.readString(pid).endsWith("."), A_WHILE);
            ProcessHandle child = ProcessHandle.of(
                            Long.parseLong(Files.readString(pid).replace(".", "")))
                    .orElseThrow();

            ProcessHandle.of(parent.pid()).orElseThrow().destroyForcibly();

            child.onExit().get(A_WHILE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldSayWhyAProcessEnded() throws Exception {
        try (JavaProcess broken = start("broken", folder, Broken.class)) {
            assertThatThrownBy(() -> broken.await(() -> false, A_WHILE))
                    .hasMessageStartingWith("broken ended with code 1: ")
                    .hasMessageContaining("no disk");
        }
    }

    @Test
    void shouldEndAProcess() throws Exception {
        JavaProcess process = start("forever", folder, Forever.class);
        assertThat(process.isAlive()).isTrue();
        process.close();
        ProcessHandle.of(process.pid()).ifPresent(handle -> handle.onExit().join());
        assertThat(process.isAlive()).isFalse();
    }

    private static JavaProcess start(String name, Path folder, Class<?> main) throws Exception {
        return JavaProcess.start(
                name,
                folder,
                Map.of(),
                List.of("-Xmx32m", "-XX:TieredStopAtLevel=1"),
                System.getProperty("java.class.path"),
                List.of(main.getName(), folder.toString()));
    }
}
