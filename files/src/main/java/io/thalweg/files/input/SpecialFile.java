// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** What is neither a regular file nor a directory, as Unix has it. */
final class SpecialFile {
    private static final int TYPE = 0170000;
    private static final int FIFO = 0010000;
    private static final int SOCKET = 0140000;

    private SpecialFile() {}

    /** True for a pipe, with a name or without, and for a socket: what one reader takes, another misses. */
    static boolean isPipe(Path file) {
        try {
            int type = (int) Files.getAttribute(file, "unix:mode") & TYPE;
            return type == FIFO || type == SOCKET;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return false; // gone, or not on this system
        }
    }

    /** Equal for all paths that lead to the same file. */
    static String key(Path file) {
        try {
            Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
            return key == null ? file.toAbsolutePath().normalize().toString() : key.toString();
        } catch (IOException e) {
            return file.toAbsolutePath().normalize().toString();
        }
    }
}
