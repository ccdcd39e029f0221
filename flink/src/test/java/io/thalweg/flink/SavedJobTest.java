// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.run.CheckpointSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SavedJobTest {
    @TempDir
    private Path folder;

    /** Of a cluster that runs as another user, say. */
    @Test
    void shouldSayInOneLine_thatAFolderOfCheckpointsMayNotBeRead() throws Exception {
        Path job = Files.createDirectory(folder.resolve("job"));
        Files.setPosixFilePermissions(job, PosixFilePermissions.fromString("---------"));
        assumeFalse(Files.isReadable(job), "who runs this may read everything");

        assertThatExceptionOfType(ConnectorException.class)
                .isThrownBy(
                        () -> SavedJob.toGoOnFrom(CheckpointSettings.in(folder).restoringLatest()))
                .withMessageStartingWith("checkpoints in " + folder + " cannot be listed: ")
                .withMessageContaining("AccessDenied");
    }
}
