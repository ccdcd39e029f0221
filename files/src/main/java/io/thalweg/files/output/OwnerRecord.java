// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.output;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whose an output is, as a file beside it says.
 *
 * @param epoch grows with each run that takes the output over
 * @param begun the run that began the output; runs that continue from its checkpoints keep it
 * @param completed a checkpoint is complete that counts on hidden files
 */
record OwnerRecord(String owner, long epoch, String begun, boolean completed) {
    private static final String HEAD = "thalweg output 1";
    private static final int MOST_BYTES = 64 * 1024;

    /** Null if there is none. */
    static @Nullable OwnerRecord read(Path path) throws IOException {
        String text;
        try (SeekableByteChannel file =
                Files.newByteChannel(path, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(file.size(), MOST_BYTES));
            while (bytes.hasRemaining() && file.read(bytes) >= 0) {}
            text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            return null;
        }
        List<String> lines = text.lines().toList();
        if (lines.size() != 5 || !lines.get(0).equals(HEAD)) {
            throw new FileSystemException(
                    path.toString(), null, path + " is damaged; remove it if no job writes there any more");
        }
        try {
            return new OwnerRecord(
                    lines.get(1), Long.parseLong(lines.get(2)), lines.get(3), Boolean.parseBoolean(lines.get(4)));
        } catch (NumberFormatException e) {
            throw new FileSystemException(
                    path.toString(), null, path + " is damaged; remove it if no job writes there any more");
        }
    }

    void write(Path path) throws IOException {
        Path temporary = path.resolveSibling(path.getFileName() + "." + Temporaries.random() + ".tmp");
        String text = String.join("\n", HEAD, owner, Long.toString(epoch), begun, Boolean.toString(completed), "");
        try {
            try (FileChannel file =
                    FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    file.write(bytes);
                }
                file.force(true);
            }
            Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            Files.deleteIfExists(temporary);
            throw e;
        }
        OutputFile.forceNames(path.getParent());
    }
}
