// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TemporaryFolderTest {
    private static final String NAME =
            "thalweg-folder-test-" + ProcessHandle.current().pid() + "-";

    private static final int THREADS = 8;
    private static final int EACH = 25;

    @TempDir
    private Path elsewhere;

    @Test
    void shouldBeItsOwnersAloneAndGoWithAllThatIsInIt() throws Exception {
        Path path;
        try (TemporaryFolder folder = TemporaryFolder.make(NAME);
                TemporaryFolder second = TemporaryFolder.make(NAME)) {
            path = folder.path();
            assertThat(second.path()).isNotEqualTo(path);
            assumeTrue(Files.getFileStore(path).supportsFileAttributeView("posix"));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo("rwx------");
            Files.writeString(Files.createDirectories(path.resolve("a/b")).resolve("c"), "text");
            Files.writeString(elsewhere.resolve("kept"), "text");
            Files.createSymbolicLink(path.resolve("link"), elsewhere);
        }
        assertThat(path).doesNotExist();
        assertThat(elsewhere.resolve("kept")).exists();
    }

    /** {@code Holder NAME}: makes one, says where it is, and waits. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] arguments) throws Exception {
            System.out.println(TemporaryFolder.make(arguments[0]).path());
            new CountDownLatch(1).await();
        }
    }

    private static Process holder() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        NAME)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Flink and Storm load our classes several times in one JVM. */
    @Test
    void shouldLeaveAloneWhatOtherClassLoadersHave() throws Exception {
        try (TemporaryFolder own = TemporaryFolder.make(NAME);
                URLClassLoader loader = LockedFileTest.anotherLoader();
                AutoCloseable other = (AutoCloseable) loader.loadClass(TemporaryFolder.class.getName())
                        .getMethod("make", String.class)
                        .invoke(null, NAME)) {
            assertThat(other).isNotInstanceOf(TemporaryFolder.class);
            assertThat(own.path()).exists();
            Process process = holder();
            try (BufferedReader out = process.inputReader()) {
                assertThat(Path.of(out.readLine())).exists();
                assertThat(own.path()).as("locked still").exists();
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
        TemporaryFolder.make(NAME).close();
    }

    @Test
    void shouldBeMadeByManyThreadsAtOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            CyclicBarrier ready = new CyclicBarrier(THREADS);
            List<Callable<Boolean>> makes = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                makes.add(() -> {
                    ready.await();
                    boolean all = true;
                    for (int i = 0; i < EACH; i++) {
                        try (TemporaryFolder folder = TemporaryFolder.make(NAME)) {
                            Files.writeString(folder.path().resolve("file"), "text");
                            all &= Files.exists(folder.path().resolve("file"));
                        }
                    }
                    return all;
                });
            }
            for (Future<Boolean> each : threads.invokeAll(makes)) {
                assertThat(each.get()).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void shouldRemoveWhatAKilledJvmLeft_andNothingElse() throws Exception {
        Process holder = holder();
        Path without = Files.createTempDirectory(NAME);
        try (BufferedReader out = holder.inputReader()) {
            Path left = Path.of(out.readLine());
            TemporaryFolder.make(NAME).close();
            assertThat(left).as("its JVM runs").exists();

            holder.destroyForcibly().waitFor();
            assertThat(left).exists();
            TemporaryFolder.make(NAME).close();

            assertThat(left).doesNotExist();
            assertThat(without).as("nobody's").exists();
        } finally {
            holder.destroyForcibly();
            Files.delete(without);
        }
    }
}
