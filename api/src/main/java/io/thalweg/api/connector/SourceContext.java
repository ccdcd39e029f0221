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
     * How many threads may decode what is read of this split: more than 1 if the engine has some to spare, and the source says
     * {@link Source#decodesInPieces}. A reader then gives {@link #decode} pieces, a few times as many at a time.
     */
    default int decodingThreads() {
        return 1;
    }

    /**
     * Has a piece of work done, soon, in any thread of the engine's and beside the others. It takes some milliseconds at most, waits
     * for nothing, throws nothing and touches nothing that is closed with the reader; then it calls {@link #wakeUp}. A piece may still
     * run, or begin to, after the reader was closed. Only for a reader whose {@link #decodingThreads} are more than 1.
     */
    default void decode(Runnable piece) {
        throw new UnsupportedOperationException("there is no thread to decode in but the reader's own");
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
