// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The lock of the drivers of a source tree: who runs with their jars shares it, and who builds them, which replaces the jars, has it alone.
 * It is a lock of the operating system, which ends with its process.
 */
public final class DriversInUse {
    /** Those that are shared: a channel that nobody refers to is closed. */
    private static final List<FileChannel> SHARED = new CopyOnWriteArrayList<>();

    private DriversInUse() {}

    /**
     * Opens it, not locked yet.
     *
     * @param home Thalweg's source tree
     * @return null if it cannot be written there: nobody who may not builds there either
     */
    public static @Nullable FileChannel open(Path home) throws IOException {
        Path file = file(home);
        try {
            Files.createDirectories(file.resolveSibling(""));
            return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (FileSystemException e) {
            return null;
        }
    }

    /** Where it is. */
    public static Path file(Path home) {
        return home.resolve("lab/drivers/target/in-use");
    }

    /**
     * Shares it until this process ends, if it can be opened. Waits for who builds drivers.
     *
     * @param say told that it waits
     */
    public static void shareUntilExit(Path home, Consumer<String> say) throws IOException {
        FileChannel channel = open(home);
        if (channel == null) {
            return;
        }
        SHARED.add(channel);
        if (channel.tryLock(0, Long.MAX_VALUE, true) == null) {
            say.accept("waiting for a call of the lab, which builds drivers in this source tree ...");
            FileLock unused = channel.lock(0, Long.MAX_VALUE, true);
        }
    }
}
