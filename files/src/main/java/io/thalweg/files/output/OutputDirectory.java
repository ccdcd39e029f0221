// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.output;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes the directory of an output so that it is still there after a power loss. */
final class OutputDirectory {
    private OutputDirectory() {}

    /** Makes what is missing of a path, level by level, and forces each new name to the disk. */
    static void create(Path directory) throws IOException {
        Path absolute = directory.toAbsolutePath();
        if (Files.isDirectory(absolute)) {
            forceNameOfOld(absolute);
            return;
        }
        Path parent = absolute.getParent();
        if (parent != null) {
            create(parent);
        }
        try {
            Files.createDirectory(absolute);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(absolute)) {
                throw e;
            }
        }
        OutputFile.forceNames(parent);
    }

    /** A job that was killed may have made it, and may not have forced its name. */
    private static void forceNameOfOld(Path directory) throws IOException {
        try {
            OutputFile.forceNames(directory.getParent());
        } catch (AccessDeniedException e) {
            // who cannot open the parent did not make a directory there
        }
    }
}
