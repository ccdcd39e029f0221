// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.checkpoint;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
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

    /** Makes a directory and those above it, and sees the names of the new ones on the disk. */
    static void createDirectories(Path directory) throws IOException {
        List<Path> changed = new ArrayList<>();
        for (Path each = directory.toAbsolutePath(); each != null && !Files.exists(each); each = each.getParent()) {
            Path parent = each.getParent();
            if (parent != null) {
                changed.add(0, parent);
            }
        }
        Files.createDirectories(directory);
        for (Path parent : changed) {
            forceNames(parent);
        }
    }

    /** Names that were given or taken in a directory are on the disk. */
    static void forceNames(Path directory) throws IOException {
        try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
            names.force(true);
        }
    }
}
