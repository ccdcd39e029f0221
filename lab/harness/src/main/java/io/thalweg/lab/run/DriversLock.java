// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import io.thalweg.lab.LabException;
import io.thalweg.lab.driver.DriversInUse;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The drivers of a source tree: calls of the lab that run them share them, and one that builds them, which replaces their jars, has them
 * alone. It is a lock of the operating system, which ends with its process. One thread uses it.
 */
final class DriversLock implements Closeable {
    private final Path home;
    private @Nullable FileChannel channel;
    private @Nullable FileLock held;

    /** @param home Thalweg's source tree */
    DriversLock(Path home) {
        this.home = home;
    }

    /** Waits for who builds the drivers. */
    void share(Consumer<String> say) {
        lock(true, "waiting for another call of the lab, which builds drivers in this source tree ...", say);
    }

    /** Waits for all who run or build the drivers. */
    void takeAlone(Consumer<String> say) {
        lock(
                false,
                "waiting for another call of the lab in this source tree to end: it runs drivers that must be built again ...",
                say);
    }

    private void lock(boolean shared, String waiting, Consumer<String> say) {
        try {
            release();
            FileChannel open = open();
            if (open == null) {
                return;
            }
            held = open.tryLock(0, Long.MAX_VALUE, shared);
            if (held == null) {
                say.accept(waiting);
                held = open.lock(0, Long.MAX_VALUE, shared);
            }
        } catch (OverlappingFileLockException e) {
            throw new LabException("this process runs the lab on the drivers of this source tree already", e);
        } catch (IOException e) {
            throw new LabException(
                    "the drivers of this source tree cannot be locked: " + DriversInUse.file(home) + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private @Nullable FileChannel open() throws IOException {
        if (channel == null) {
            channel = DriversInUse.open(home);
        }
        return channel;
    }

    private void release() throws IOException {
        FileLock lock = held;
        held = null;
        if (lock != null) {
            lock.release();
        }
    }

    /** Lets go of the drivers. */
    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }
}
