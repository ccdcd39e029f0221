// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Makes the folders of tests where writing to the disk takes no time, if the system has such a place with room for them; else where
 * temporary files are. A process that is killed loses nothing there, and thousands of checkpoints that are each forced to the disk take
 * minutes elsewhere.
 *
 * <p>For all tests of a module, in its {@code src/test/resources/junit-platform.properties}: {@code
 * junit.jupiter.tempdir.factory.default=io.thalweg.testkit.FoldersInMemory}
 */
public final class FoldersInMemory implements TempDirFactory {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final String PREFIX = "thalweg-test-";

    /** More than all tests that run at one time ever need. */
    private static final long ROOM_BYTES = 2L << 30;

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
        return create();
    }

    /** A new folder, which whoever asks for it deletes. */
    public static Path create() throws IOException {
        return hasRoom() ? Files.createTempDirectory(MEMORY, PREFIX) : Files.createTempDirectory(PREFIX);
    }

    private static boolean hasRoom() throws IOException {
        return Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= ROOM_BYTES;
    }
}
