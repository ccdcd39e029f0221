// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs, or tunings, in one file, which any number of processes may use at the same time. Each call stands for itself: nothing stays open between two.
 * Threads may call at the same time. Each method throws a {@link io.thalweg.api.connector.ConnectorException} with one line if the file
 * cannot be used, after two seconds if others lock it.
 */
public interface RunStore {
    /** What is kept. A file may hold both, each for itself. */
    enum Kind {
        /** Of {@code thalweg run}. */
        RUN,
        /** Of {@code thalweg tune}. */
        TUNING
    }

    /**
     * One run, or one tuning.
     *
     * @param id of it alone
     * @param startedMs in epoch milliseconds
     * @param summary for a list: an object of JSON
     * @param detail all that is kept of it: an object of JSON
     */
    record Run(String id, long startedMs, String summary, String detail) {}

    /** Keeps a run, in place of what was kept of it before. Creates the file if it is missing. Of very many runs the oldest ones go. */
    void put(Run run);

    /** Summaries, the newest run first; none if there is no file. */
    List<String> newest(int most);

    /** What is kept of a run; null if there is no such run. */
    @Nullable String detail(String id);
}
