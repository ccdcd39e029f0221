// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.multilang;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message of a child. */
sealed interface FromChild {
    /**
     * A tuple.
     *
     * @param id of a spout's, for acks; null for none
     * @param anchors of a bolt's
     * @param task to which it goes directly; 0 for those that groupings choose
     * @param needsTasks whether the child waits for the tasks that it went to
     */
    record Emit(String stream, @Nullable Object id, List<?> anchors, long task, List<Object> values, boolean needsTasks)
            implements FromChild {}

    /** A tuple is done. */
    record Ack(@Nullable Object id) implements FromChild {}

    /** A tuple has failed. */
    record Fail(@Nullable Object id) implements FromChild {}

    /** A sign of life; a spout's, too, that a command is done. */
    record Sync() implements FromChild {}

    /** A line for the log, by Storm's levels: 0 trace to 4 error. */
    record Log(int level, String text) implements FromChild {}

    /** An error to report. */
    record Problem(String text) implements FromChild {}

    /** A change of a metric that the component has registered. */
    record Metric(@Nullable String name, @Nullable Object params) implements FromChild {}
}
