// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.thalweg.api.connector.ConnectorException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SavedOwnersTest {
    private static final int NO_VERSION = 99;

    @TempDir
    private Path folder;

    private void assertRefused(byte[] metadata, String reason) throws IOException {
        Files.write(folder.resolve("_metadata"), metadata);
        String from = SavedJob.text(folder);
        assertThatExceptionOfType(ConnectorException.class)
                .isThrownBy(() -> SavedOwners.read(from))
                .withMessageStartingWith("cannot continue from " + from + ": its _metadata cannot be read: ")
                .withMessageContaining(reason)
                .withMessageEndingWith("; restore another checkpoint or savepoint with --restore DIR");
    }

    /** A JobManager that was killed leaves a part of a savepoint. */
    @Test
    void shouldSayInOneLine_thatACheckpointIsDamagedOrOfAnotherVersion() throws Exception {
        assertRefused(new byte[0], "EOFException");
        assertRefused(new byte[Long.BYTES], "Unexpected magic number");
        assertRefused(
                ByteBuffer.allocate(Long.BYTES)
                        .putInt(Checkpoints.HEADER_MAGIC_NUMBER)
                        .putInt(NO_VERSION)
                        .array(),
                "IllegalArgumentException");
    }
}
