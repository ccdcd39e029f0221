// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

/**
 * Writes the records of one task; called by one thread at a time. Calls come in this order: any number of {@link
 * #write} and {@link #onClock}, then {@link #prepare} where there is one, {@link #finish} or {@link #cancelled} unless the job
 * fails, and always {@link #close}.
 *
 * @param <T> records
 */
public interface SinkWriter<T> {
    /**
     * Writes a record, or buffers it. The source may reuse the object after this call, so a writer that buffers records
     * must serialize or copy them.
     *
     * @throws io.thalweg.api.operator.BadRecordException to count and keep the record as a bad one
     * @throws io.thalweg.api.operator.RecordFailedException to have it retried, in a job with the guarantee {@code
     *     acked}
     */
    void write(T value) throws Exception;

    /**
     * When {@link #onClock} must be called next, in epoch milliseconds; {@link Long#MAX_VALUE} if not at all, 0 for
     * immediately. Called often, so it must be cheap.
     */
    default long dueMs() {
        return Long.MAX_VALUE;
    }

    /**
     * Called when the clock has reached {@link #dueMs}. A writer that buffers records for a batch flushes them here
     * when they have waited long enough; it needs no clock of its own.
     */
    default void onClock(long epochMs) throws Exception {}

    /**
     * The input has ended: writes what is buffered, so that as little as possible can fail in {@link #finish}. Nothing becomes
     * visible. All tasks have returned from this before the first is asked to finish; on Flink, all tasks of the same sink. On
     * Flink it is not called in a job with checkpoints; {@link #finish} and {@link #cancelled} then do this, too.
     */
    default void prepare() throws Exception {}

    /** The input has ended: makes visible what was written. */
    default void finish() throws Exception {}

    /**
     * Called instead of {@link #finish()} if the job was cancelled in an orderly way, before its input ended. The
     * default calls {@link #finish()}.
     */
    default void cancelled() throws Exception {
        finish();
    }

    /**
     * Called once, last. Without {@link #finish()} or {@link #cancelled()} before it, what was written must not become
     * visible.
     */
    default void close() throws Exception {}
}
