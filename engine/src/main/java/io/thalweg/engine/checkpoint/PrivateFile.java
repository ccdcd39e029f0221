// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.checkpoint;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** New files that their owner alone can read, and new directories that a power failure does not take back. */
final class PrivateFile {
    private PrivateFile() {}

    /** @throws java.nio.file.FileAlreadyExistsException if there is anything of that name, a symbolic link included */
    static FileChannel create(Path path) throws IOException {
        Path parent = path.toAbsolutePath().getParent();
        boolean posix =
                parent != null && Files.getFileStore(parent).supportsFileAttributeView(PosixFileAttributeView.class);
        FileAttribute<?>[] owner = posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
        return FileChannel.open(
                path,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                owner);
    }

    /**
     * Makes a directory and those above it, and forces the names of all of them to the disk: one that is there already may have
     * been made by a job that was killed before its name was safe.
     */
    static void createDirectories(Path directory) throws IOException {
        Files.createDirectories(directory);
        for (Path each = directory.toAbsolutePath().getParent(); each != null; each = each.getParent()) {
            try {
                forceNames(each);
            } catch (AccessDeniedException e) {
                return; // who may not read a directory has made none in it
            }
        }
    }

    /** Names that were given or taken in a directory are on the disk. */
    static void forceNames(Path directory) throws IOException {
        try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
            names.force(true);
        }
    }
}
