// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.embedded;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The threads of this process that collect garbage. Java tells how long collections stopped the tasks, not what they cost: several
 * threads work in each, and some beside the tasks. Linux tells it of every thread.
 */
final class CollectorThreads {
    private static final Path THREADS = Path.of("/proc/self/task");

    /** As HotSpot names them; Linux keeps the first 15 characters. */
    private static final List<String> NAMES =
            List.of("GC Thread#", "G1 ", "ZWorker", "ZDriver", "XWorker", "XDriver", "Shenandoah");

    private CollectorThreads() {}

    /** CPU time of all of them so far, in nanoseconds; null if there are none, as with the serial collector, or nobody tells. */
    static @Nullable Long cpuNs() {
        long sum = 0;
        boolean any = false;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
            for (Path thread : threads) {
                if (collects(thread)) {
                    String times = Files.readString(thread.resolve("schedstat"));
                    sum += Long.parseLong(times.substring(0, times.indexOf(' ')));
                    any = true;
                }
            }
        } catch (IOException | RuntimeException e) {
            return null; // another system, or one that does not tell
        }
        return any ? sum : null;
    }

    private static boolean collects(Path thread) throws IOException {
        try {
            String name = Files.readString(thread.resolve("comm"));
            return NAMES.stream().anyMatch(name::startsWith);
        } catch (NoSuchFileException e) {
            return false; // it has just ended
        }
    }
}
