// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is in the file is what was written, whichever way the file system takes it. */
final class LargeFileOutputTest {
    private static final int MIB = 1 << 20;

    private final LargeFileOutput.Memory memory = new LargeFileOutput.Memory();
    private final long seed = System.nanoTime();

    @TempDir
    Path folder;

    private void shouldWrite(int bytes, LargeFileOutput.Direct direct) throws IOException {
        Random random = new Random(seed);
        byte[] all = new byte[bytes];
        random.nextBytes(all);
        Path path = folder.resolve("file");
        try (FileChannel file = PrivateFile.create(path);
                LargeFileOutput out = new LargeFileOutput(path, file, memory, direct)) {
            int next = 0;
            while (next < bytes) {
                if (random.nextInt(4) == 0) {
                    out.write(all[next++]);
                } else {
                    int length = Math.min(bytes - next, random.nextInt(MIB / 2));
                    out.write(all, next, length);
                    next += length;
                }
            }
            out.finish();
        }
        assertThat(Files.readAllBytes(path)).as("seed %d", seed).isEqualTo(all);
        Files.delete(path);
    }

    private static FileChannel plain(Path path) throws IOException {
        return FileChannel.open(path, StandardOpenOption.WRITE);
    }

    private static FileChannel closed(Path path) throws IOException {
        FileChannel channel = plain(path);
        channel.close(); // so that its first write fails
        return channel;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, MIB - 1, MIB, MIB + 1, 2 * MIB, 5 * MIB + 4095})
    void shouldWriteFilesOfAnySize(int bytes) throws Exception {
        try (FileChannel file = PrivateFile.create(folder.resolve("other"))) {
            new LargeFileOutput(folder.resolve("other"), file, memory)
                    .write(7); // given up: nothing of it is in the next
        }
        Path path = folder.resolve("file");
        byte[] all = new byte[bytes];
        new Random(seed).nextBytes(all);
        try (FileChannel file = PrivateFile.create(path);
                LargeFileOutput out = new LargeFileOutput(path, file, memory)) {
            out.write(all);
            out.finish();
        }
        assertThat(Files.readAllBytes(path)).as("seed %d", seed).isEqualTo(all);
    }

    @Test
    void shouldWriteInPieces() throws Exception {
        shouldWrite(3 * MIB + 5, LargeFileOutputTest::plain);
    }

    @Test
    void shouldWriteAsUsualWhereTheSystemHasNoSuchWrites() throws Exception {
        shouldWrite(3 * MIB + 5, path -> {
            throw new UnsupportedOperationException();
        });
        shouldWrite(2 * MIB, path -> {
            throw new IOException("Invalid argument");
        });
    }

    @Test
    void shouldWriteAsUsualOnceSuchAWriteFails() throws Exception {
        shouldWrite(3 * MIB + 5, LargeFileOutputTest::closed);
    }
}
