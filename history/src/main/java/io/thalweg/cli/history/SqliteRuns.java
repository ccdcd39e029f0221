// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.history;

import io.thalweg.cli.RunStore;
import io.thalweg.cli.RunStoreProvider;
import java.nio.file.Path;

/** Keeps runs in a database of SQLite. */
public final class SqliteRuns implements RunStoreProvider {
    /** For {@link java.util.ServiceLoader}. */
    public SqliteRuns() {}

    @Override
    public RunStore of(Path file, RunStore.Kind kind) {
        return new SqliteFile(file, kind);
    }
}
