// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a function, an operator or a sink: the record in hand could not be processed now. In a job with the guarantee
 * {@code acked}, the source record that it comes from is sent again, and the job goes on. What a window, a timer or the end
 * emits comes from no single record: there, and in any other job, it is a failure like any other.
 */
public final class RecordFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public RecordFailedException(String reason) {
        super(reason);
    }

    public RecordFailedException(String reason, @Nullable Throwable cause) {
        super(reason, cause);
    }
}
