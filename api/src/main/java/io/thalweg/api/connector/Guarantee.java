// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import java.util.Locale;

/**
 * What a job guarantees for each record if it, or the machine, fails and the job continues from its last checkpoint.
 * Chosen with {@code --guarantee}.
 */
public enum Guarantee {
    /** No guarantee: a failed job starts from the beginning. */
    NONE,
    /**
     * Each source record is acked when everything derived from it has been processed, and retried if it failed or timed
     * out, so some may be counted twice. State also needs checkpoints.
     */
    ACKED,
    /**
     * Every record counts, but some may be counted twice. Barriers are not aligned: a task saves its state when the
     * last of its inputs has delivered the barrier, including what the others have delivered meanwhile.
     */
    AT_LEAST_ONCE,
    /**
     * Every record counts exactly once, in state and in sinks with a two-phase commit ({@link CheckpointedWriter}).
     * Barriers are aligned.
     */
    EXACTLY_ONCE;

    /** The name as users write it: {@code exactly-once}. */
    public String words() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
