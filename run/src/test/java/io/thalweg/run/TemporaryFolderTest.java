// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TemporaryFolderTest {
    private static final String NAME =
            "thalweg-folder-test-" + ProcessHandle.current().pid() + "-";

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

    @Test
    void shouldRemoveWhatAKilledJvmLeft_andNothingElse() throws Exception {
        Process holder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        NAME)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
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
