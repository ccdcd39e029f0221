// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.output;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes the directory of an output so that it is still there after a power loss. */
final class OutputDirectory {
    private OutputDirectory() {}

    /**
     * Makes what is missing of a path, and forces the name of each directory on it to the disk: one that is there already may have
     * been made by a job that was killed before its name was safe.
     */
    static void create(Path directory) throws IOException {
        Files.createDirectories(directory);
        for (Path each = directory.toAbsolutePath().getParent(); each != null; each = each.getParent()) {
            try {
                OutputFile.forceNames(each);
            } catch (AccessDeniedException e) {
                return; // who may not read a directory has made none in it
            }
        }
    }
}
