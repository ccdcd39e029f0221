// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Trident's exactly-once where the disk of its transactions is full, and has room again. */
@EnabledOnOs(OS.LINUX)
@Timeout(900)
@Tag("integration")
final class TridentShortageTest {
    private static final int FILLS = 30;

    /** The disk is a small file system that only the processes of this script see. */
    private static final String SCRIPT = """
            folder=$1
            shift
            mount -t tmpfs -o size=1m tmpfs "$folder/state" || exit 99
            "$@" "$folder" %d > "$folder/first" 2>&1
            echo $? > "$folder/first.code"
            mount -o remount,size=256m "$folder/state" || exit 99
            exec "$@" "$folder" > "$folder/second" 2>&1
            """.formatted(FILLS);

    @TempDir
    private Path folder;

    private void assumeMounts() throws Exception {
        Process probe = new ProcessBuilder(
                        "sh", "-c", "unshare --mount --map-root-user mount -t tmpfs -o size=1m tmpfs '" + folder + "'")
                .start();
        assumeTrue(probe.waitFor(4, TimeUnit.MINUTES) && probe.exitValue() == 0, "nothing can be mounted here");
    }

    private Process start() throws IOException {
        List<String> command =
                new ArrayList<>(List.of("unshare", "--mount", "--map-root-user", "sh", "-c", SCRIPT, "sh"));
        command.add(folder.toString());
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"));
        command.add(System.getProperty("java.class.path"));
        command.add(TridentJob.class.getName());
        return new ProcessBuilder(command).start();
    }

    private String read(String file) throws IOException {
        Path of = folder.resolve(file);
        return Files.exists(of) ? Files.readString(of) : "";
    }

    @Test
    void shouldSayThatTheDiskIsFull_andCountEachTupleOnceWhereThereIsRoomAgain() throws Exception {
        assumeMounts();
        Files.createDirectory(folder.resolve("state"));
        Process process = start();
        try {
            while (TridentJob.batches(folder, "acked").stream().noneMatch(batch -> batch > TridentJob.BATCHES)) {
                assertThat(process.isAlive())
                        .as("%s; %s", read("first"), read("second"))
                        .isTrue();
                process.waitFor(1, TimeUnit.MILLISECONDS);
            }
            Files.writeString(folder.resolve("stop"), "");
            assertThat(process.waitFor(4, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        assertThat(read("first").lines())
                .last()
                .isEqualTo("the transactions of Trident cannot be kept in " + folder
                        + "/state/words/trident: No space left on device");
        assertThat(read("first.code")).isEqualTo("1\n");
        assertThat(process.exitValue()).as(read("second")).isZero();
        assertThat(TridentJob.counted(folder)).isEqualTo(TridentJob.expected());
        assertThat(TridentJob.batches(folder, "emitted").stream().filter(batch -> batch < FILLS / 2))
                .as("transactions do not begin anew")
                .doesNotHaveDuplicates();
    }
}
