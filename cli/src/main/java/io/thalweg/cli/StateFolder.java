// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.run.CacheFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where what should outlive a run is kept, according to the XDG Base Directory Specification. */
final class StateFolder {
    private StateFolder() {}

    /** The file of past runs, in a folder of this user alone; null if there is no place for it. */
    static @Nullable Path history() {
        return history(System.getenv("XDG_STATE_HOME"), System.getProperty("user.home", ""));
    }

    static @Nullable Path history(@Nullable String named, String home) {
        Path base = named == null || named.isEmpty() ? null : Path.of(named);
        if (base == null || !base.isAbsolute()) {
            Path own = Path.of(home);
            base = own.isAbsolute() && Files.isDirectory(own) ? own.resolve(".local/state") : null;
        }
        try {
            return base == null
                    ? null
                    : CacheFolder.ownerOnly(base.resolve("thalweg")).resolve("history.db");
        } catch (IOException | ConnectorException e) {
            return null; // it cannot be made, or is another user's
        }
    }
}
