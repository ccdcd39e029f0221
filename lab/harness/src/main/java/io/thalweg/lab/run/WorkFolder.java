// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import io.thalweg.lab.LabException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Where what the lab starts may write, a folder for each, until the lab ends. */
final class WorkFolder implements AutoCloseable {
    private static final long LEAST_DISK_BYTES = 500L << 20;

    private final Path path;
    private int folders;

    private WorkFolder(Path path) {
        this.path = path;
    }

    static WorkFolder make() {
        try {
            return new WorkFolder(Files.createTempDirectory("thalweg-lab-"));
        } catch (IOException e) {
            throw new LabException("no folder for runs can be made: " + e.getMessage(), e);
        }
    }

    Path path() {
        return path;
    }

    /** @throws IOException also if the disk is all but full */
    Path newFolder() throws IOException {
        if (Files.getFileStore(path).getUsableSpace() < LEAST_DISK_BYTES) {
            throw new IOException("less than " + (LEAST_DISK_BYTES >> 20) + " MB are free on the disk of " + path);
        }
        return Files.createDirectory(path.resolve("run-" + ++folders));
    }

    /** Where something writes there still, the folder goes with all others at the end. */
    void tryDelete(Path folder) {
        try {
            delete(folder);
        } catch (IOException | UncheckedIOException e) {
            // close() tries again
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }

    @Override
    public void close() throws IOException {
        delete(path);
    }
}
