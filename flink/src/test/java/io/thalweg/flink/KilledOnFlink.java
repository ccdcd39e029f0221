// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What processes with a cluster of their own need that a test kills. */
final class KilledOnFlink {
    static final List<String> OPTIONS = List.of(
            "-Xmx384m", "--add-opens=java.base/java.lang=ALL-UNNAMED", "--add-opens=java.base/java.util=ALL-UNNAMED");

    private static final String PREFIX = "chk-";

    private KilledOnFlink() {}

    /** The number of the newest complete checkpoint; 0 if there is none. */
    static long newestCheckpoint(Path checkpoints) throws IOException {
        if (!Files.isDirectory(checkpoints)) {
            return 0;
        }
        long newest = 0;
        try (Stream<Path> jobs = Files.list(checkpoints)) {
            for (Path job : jobs.filter(Files::isDirectory).toList()) {
                newest = Math.max(newest, newestOf(job));
            }
        }
        return newest;
    }

    private static long newestOf(Path job) throws IOException {
        try (Stream<Path> folders = Files.list(job)) {
            return folders.filter(each -> Files.exists(each.resolve("_metadata")))
                    .map(each -> each.getFileName().toString())
                    .filter(name -> name.startsWith(PREFIX))
                    .mapToLong(name -> Long.parseLong(name.substring(PREFIX.length())))
                    .max()
                    .orElse(0);
        }
    }
}
