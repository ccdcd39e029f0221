// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import java.util.Locale;

/** What a job promises of each record when it, or the machine, fails and the job goes on from its last checkpoint. */
public enum Guarantee {
    /** Nothing: a job that fails begins again. */
    NONE,
    /**
     * Each source record is confirmed when all that came of it is done, and sent again if it failed or took too long: some
     * may count twice. What operators keep needs checkpoints besides.
     */
    ACKED,
    /**
     * Each record counts, some may count twice. Barriers hold nothing up: a task saves when the last of its inputs has brought
     * the barrier, with what has come meanwhile from the others.
     */
    AT_LEAST_ONCE,
    /**
     * Each record counts once, in state and in sinks that write in two phases
     * ({@link CheckpointedWriter}).
     */
    EXACTLY_ONCE;

    /** {@code exactly-once}. */
    public String words() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
