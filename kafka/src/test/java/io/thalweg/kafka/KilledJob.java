// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.engine.SavedCheckpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A {@link CrashJob} on some runner, for a {@link Killer}. */
public interface KilledJob {
    /** Its main method takes the arguments of {@link CrashJob}. */
    Class<?> main();

    /** Options of its JVM. */
    default List<String> options() {
        return List.of("-Xmx256m");
    }

    /** True if checkpoints of exactly-once hold offsets of messages: then they wait until these have arrived. */
    default boolean replaysFromTopic() {
        return false;
    }

    /** The number of the newest complete checkpoint; 0 if there is none. */
    long newestCheckpoint(Path checkpoints) throws IOException;

    /**
     * True if the broker is killed, too.
     *
     * @param kill from 0
     */
    default boolean killsBroker(int kill) {
        return false;
    }

    /** {@link #newestCheckpoint} among those that the embedded engine and Storm write. */
    static long newestFile(Path checkpoints) throws IOException {
        long newest = 0;
        for (SavedCheckpoint each : SavedCheckpoint.in(checkpoints)) {
            String name = each.path().getFileName().toString();
            newest = Math.max(newest, Long.parseLong(name.substring(name.lastIndexOf('-') + 1)));
        }
        return newest;
    }
}
