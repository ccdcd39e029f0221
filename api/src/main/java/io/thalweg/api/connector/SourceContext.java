// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

/** What a reader may ask of the engine, on its own thread. */
public interface SourceContext {
    /**
     * Hands over a record that cannot be read. It is counted and kept.
     *
     * @throws RuntimeException if the job is told to stop at the first bad record; the reader lets it pass
     */
    void bad(BadRecord record);

    /** The engine's clock, in nanoseconds from some origin: what a source that keeps a rate goes by. */
    long nowNs();

    /** True in a job that takes checkpoints: {@link SplitReader#fingerprint} will be asked for. */
    default boolean checkpoints() {
        return false;
    }

    /**
     * There is something to poll: an engine that waits looks at once. A reader that is handed records by another thread calls this
     * after each record that it got while it had none; without it, records are found some milliseconds later. Any thread may call,
     * as often as it likes.
     */
    default void wakeUp() {}

    /** Tells the user something in one line, such as what is waited for. Any thread may call. */
    default void warn(String message) {}
}
