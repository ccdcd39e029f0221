// SPDX-License-Identifier: Apache-2.0
package io.thalweg.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What is removed of what others left, and what is not. */
@Timeout(900)
final class TemporaryFolderTest {
    @TempDir
    private Path parent;

    /** Makes a folder, says where, and waits to be killed. */
    static final class Owner {
        public static void main(String[] arguments) throws IOException {
            System.out.println(TemporaryFolder.create(Path.of(arguments[0])).path());
            while (System.in.read() >= 0) {
                // nobody writes
            }
        }
    }

    /** A folder of another process, with a file in it. */
    private Path left(Process process) throws IOException {
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        Path folder = Path.of(out.readLine());
        Files.createDirectories(folder.resolve("broker-1/data"));
        Files.writeString(folder.resolve("broker-1/data/log"), "messages");
        return folder;
    }

    private Process start() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Owner.class.getName(),
                        parent.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    @Test
    void shouldRemoveWhatAKilledProcessLeft_andNotWhatARunningOneHas() throws Exception {
        Process killed = start();
        Process runs = start();
        try {
            Path orphan = left(killed);
            Path used = left(runs);
            killed.destroyForcibly().waitFor();
            try (TemporaryFolder first = TemporaryFolder.create(parent);
                    TemporaryFolder second = TemporaryFolder.create(parent)) {
                assertThat(orphan).doesNotExist();
                assertThat(used.resolve("broker-1/data/log")).exists();
                assertThat(first.path()).isDirectory();
                assertThat(second.path()).isDirectory();
            }
            assertThat(parent).isDirectoryContaining(used::equals);
            try (var all = Files.list(parent)) {
                assertThat(all).containsExactly(used);
            }
        } finally {
            killed.destroyForcibly();
            runs.destroyForcibly().waitFor();
        }
    }

    /** A number is used again by another process, so its start counts too. */
    @Test
    void shouldKnowAProcessByItsStart() throws Exception {
        Path folder = folder("thalweg-kafka-1", ProcessHandle.current().pid() + " 2001-01-01T00:00:00Z");
        Path unknown = folder("thalweg-kafka-2", ProcessHandle.current().pid() + " ?");
        TemporaryFolder.create(parent).close();
        assertThat(folder).doesNotExist();
        assertThat(unknown).exists();
    }

    private Path folder(String name, String owner) throws IOException {
        Path folder = Files.createDirectory(parent.resolve(name));
        Files.writeString(folder.resolve("owner"), owner);
        Files.createFile(folder.resolve("lock"));
        return folder;
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldTouchNothingThatIsNotItsOwn_andFollowNoLinks() throws Exception {
        String gone = "999999999999 2001-01-01T00:00:00Z";
        Path elsewhere = Files.createDirectory(parent.resolve("elsewhere"));
        Files.writeString(elsewhere.resolve("owner"), gone);
        Files.createFile(elsewhere.resolve("lock"));
        Path link = Files.createSymbolicLink(parent.resolve("thalweg-kafka-link"), elsewhere);
        Path other = Files.createDirectory(parent.resolve("thalweg-kafka-notes"));
        Path nonsense = folder("thalweg-kafka-3", "nonsense");
        Path linked = Files.createDirectory(parent.resolve("thalweg-kafka-4"));
        Files.createSymbolicLink(linked.resolve("owner"), elsewhere.resolve("owner"));
        Path orphan = folder("thalweg-kafka-5", gone);
        Files.createSymbolicLink(orphan.resolve("within"), elsewhere);

        TemporaryFolder.create(parent).close();

        assertThat(orphan).doesNotExist();
        for (Path kept : List.of(link, other, nonsense, linked, elsewhere.resolve("lock"))) {
            assertThat(kept).exists();
        }
    }
}
