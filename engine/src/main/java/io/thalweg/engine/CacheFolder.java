// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where Thalweg keeps what it can make again: see the XDG Base Directory Specification. */
final class CacheFolder {
    private CacheFolder() {}

    /** Compiled jobs; null where there is no place for them. */
    static @Nullable Path jobs() {
        return named("jobs");
    }

    /** Of a cluster for trying, here where there is no better place. */
    static Path ofCluster(String name) {
        Path folder = named(name);
        return folder == null ? Path.of("thalweg-" + name).toAbsolutePath() : folder;
    }

    private static @Nullable Path named(String name) {
        String named = System.getenv("XDG_CACHE_HOME");
        Path base = named == null || named.isEmpty() ? null : Path.of(named);
        if (base == null || !base.isAbsolute()) {
            Path home = Path.of(System.getProperty("user.home", ""));
            base = home.isAbsolute() && Files.isDirectory(home) ? home.resolve(".cache") : null;
        }
        return base == null ? null : base.resolve("thalweg").resolve(name);
    }
}
