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

/** Creates files that only their owner can read, and directories that survive a power failure. */
final class PrivateFile {
    private PrivateFile() {}

    /** @throws java.nio.file.FileAlreadyExistsException if the name exists, even as a symbolic link */
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
     * Creates a directory and its parents, and forces the names of all of them to the disk, even of those that exist: a
     * job may have been killed before it did so.
     */
    static void createDirectories(Path directory) throws IOException {
        Files.createDirectories(directory);
        for (Path each = directory.toAbsolutePath().getParent(); each != null; each = each.getParent()) {
            try {
                forceNames(each);
            } catch (AccessDeniedException e) {
                return; // a directory that is not readable: nothing was created in it
            }
        }
    }

    /** Forces changes of names in a directory to the disk. */
    static void forceNames(Path directory) throws IOException {
        try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
            names.force(true);
        }
    }
}
