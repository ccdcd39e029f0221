// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory of checkpoints is one job's. */
final class CheckpointLockTest {
    @TempDir
    private Path folder;

    private final List<String> warnings = new ArrayList<>();
    private Path directory;
    private RunSettings settings;

    @BeforeEach
    void name() {
        directory = folder.resolve("checkpoints");
        settings = RunSettings.defaults()
                .withGuarantee(Guarantee.EXACTLY_ONCE, CheckpointSettings.in(directory))
                .withWarnings(warnings::add);
    }

    private void shouldBeLocked() {
        for (boolean here : new boolean[] {true, false}) {
            assertThatExceptionOfType(ConnectorException.class)
                    .isThrownBy(() -> CheckpointLock.take(settings, here))
                    .withMessage("another job writes its checkpoints to " + directory
                            + "; give each job a directory of its own");
        }
    }

    @Test
    void shouldLetInOneJobAfterTheOther() {
        for (int job = 0; job < 2; job++) {
            CheckpointLock lock = CheckpointLock.take(settings, true);
            shouldBeLocked();
            lock.close();
        }
        assertThat(warnings).isEmpty();
    }

    /** On a cluster that makes it, as another user perhaps. */
    @Test
    void shouldLockADirectory_thatComesLater() throws Exception {
        try (CheckpointLock first = CheckpointLock.take(settings, false);
                CheckpointLock second = CheckpointLock.take(settings, false)) {
            first.look(warnings::add);
            assertThat(directory).doesNotExist();
            Files.createDirectory(directory);
            for (int looks = 0; looks < 2; looks++) {
                first.look(warnings::add);
                second.look(warnings::add);
            }

            shouldBeLocked();
            assertThat(warnings)
                    .containsExactly("another job writes its checkpoints to " + directory
                            + ", too; stop one of them, and give each job a directory of its own");
        }
    }

    @Test
    void shouldSayThatItIsAFile() throws Exception {
        Files.createFile(directory);
        assertThatExceptionOfType(ConnectorException.class)
                .isThrownBy(() -> CheckpointLock.take(settings, true))
                .withMessage(
                        "cannot keep checkpoints in " + directory + ": " + directory + " is a file; give a directory");
    }

    @Test
    void shouldLeaveAJobAlone_thatTakesNoCheckpoints() {
        RunSettings without = RunSettings.defaults().withCheckpoints(CheckpointSettings.in(directory));
        try (CheckpointLock one = CheckpointLock.take(without, true);
                CheckpointLock other = CheckpointLock.take(without, true)) {
            one.look(warnings::add);
            other.look(warnings::add);
        }
        assertThat(directory).doesNotExist();
        assertThat(warnings).isEmpty();
    }
}
