// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import io.thalweg.api.operator.ConnectionReports;
import io.thalweg.api.stats.InputStats;

/** What a reader may ask of the engine. Unless stated otherwise, only the reader's own thread may call. */
public interface SourceContext {
    /** Name of the source in the topology, as in its plan; empty if the engine does not tell. Any thread may call this. */
    default String operator() {
        return "";
    }

    /**
     * Reports a record that cannot be decoded. It is counted and kept.
     *
     * @throws RuntimeException if the job must stop because of it; the reader lets it pass
     */
    void bad(BadRecord record);

    /** The engine's clock, in nanoseconds from an arbitrary origin: for sources that keep a rate. Tests control it. */
    long nowNs();

    /** True in a job that takes checkpoints: {@link SplitReader#fingerprint} will be called. */
    default boolean checkpoints() {
        return false;
    }

    /**
     * The number of threads that may decode this split: more than 1 if the engine has idle ones and the source {@link
     * Source#decodesInPieces}. A reader then passes pieces to {@link #decode}, a few times as many at a time.
     */
    default int decodingThreads() {
        return 1;
    }

    /**
     * Runs a piece of work soon, on any thread of the engine and concurrently with others. A piece must take a few
     * milliseconds at most, must not block, throw, or touch anything that is closed with the reader; at its end it
     * calls {@link #wakeUp}. A piece may still run, or start, after the reader was closed. Only for readers whose
     * {@link #decodingThreads} are more than 1.
     */
    default void decode(Runnable piece) {
        throw new UnsupportedOperationException("there is no thread to decode in but the reader's own");
    }

    /**
     * Signals that there is something to poll, so that an engine that waits looks immediately. A reader that receives
     * records from another thread calls this after each record that arrived while it had none; without it, records are
     * found some milliseconds later, and up to 100 ms after many seconds without any. Any thread may call this, as often as
     * it likes.
     */
    default void wakeUp() {}

    /** Shows the user a message of one line, such as what the source is waiting for. Any thread may call this. */
    default void warn(String message) {}

    /**
     * Tells what was measured of the input of this task, such as its lag, about once a second; the newest counts. For a
     * source with one reader for each task ({@link LiveSource}). Any thread may call.
     */
    default void measured(InputStats input) {}

    /** Where the reader tells that it lost the system that it reads from. Any thread may call, and report there. */
    default ConnectionReports connections() {
        return ConnectionReports.none();
    }
}
