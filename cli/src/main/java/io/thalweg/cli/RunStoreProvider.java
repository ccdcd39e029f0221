// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import java.nio.file.Path;

/** Keeps runs beyond their end, with a library that not everybody needs; found by {@link java.util.ServiceLoader}. */
public interface RunStoreProvider {
    /** What a file keeps of that kind. Opens nothing yet. */
    RunStore of(Path file, RunStore.Kind kind);
}
