// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Puts the temporary folders of tests on a file system in memory, if there is one with enough space; otherwise in the
 * usual place.
 * Files there survive a killed process. On a disk, tests with thousands of checkpoints, each forced to the disk, take minutes.
 *
 * <p>For all tests of a module, in its {@code src/test/resources/junit-platform.properties}: {@code
 * junit.jupiter.tempdir.factory.default=io.thalweg.testkit.FoldersInMemory}
 */
public final class FoldersInMemory implements TempDirFactory {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final String PREFIX = "thalweg-test-";

    /** Required space; concurrent tests need less. */
    private static final long ROOM_BYTES = 2L << 30;

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
        return create();
    }

    /** A new folder, which the caller must delete. */
    public static Path create() throws IOException {
        return hasRoom() ? Files.createTempDirectory(MEMORY, PREFIX) : Files.createTempDirectory(PREFIX);
    }

    /** A new folder, which goes with all that is in it when this JVM ends. */
    public static Path createUntilExit() throws IOException {
        Path folder = create();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
        return folder;
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean hasRoom() throws IOException {
        return Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= ROOM_BYTES;
    }
}
