// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a function, an operator or a sink: the current record could not be processed now, but a retry may succeed.
 * In a job with the guarantee {@code acked}, the source record that it came from is retried and the job continues. What
 * a window, a timer or the end of input emits comes from no single record: there, and in any other job, this is a
 * failure like any other. So it is on Flink, and on Storm in a job with checkpoints, where single records are not acked.
 */
public final class RecordFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * A failure without a cause.
     *
     * @param reason what went wrong, in one line
     */
    public RecordFailedException(String reason) {
        super(reason);
    }

    /**
     * A failure with its cause.
     *
     * @param reason what went wrong, in one line
     * @param cause may be null
     */
    public RecordFailedException(String reason, @Nullable Throwable cause) {
        super(reason, cause);
    }
}
