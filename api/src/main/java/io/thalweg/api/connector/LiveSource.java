// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import java.time.Duration;
import java.util.List;

/**
 * A source of which each task reads all its splits through one reader, such as a consumer of a message broker that
 * reads many partitions over one connection. The reader has a thread of its own on which it may block; the task never
 * does. Splits that appear while the job runs are read too, if the source says how often to look for them.
 *
 * <pre>{@code
 * record Lines(String host, int port) implements LiveSource<String> {
 *     public List<String> splits(int parallelism) {
 *         return List.of(host + ":" + port);
 *     }
 *     public LiveReader<String> open(SourceContext context) throws IOException {
 *         return new LinesReader(host, port);
 *     }
 *     // name, type
 * }
 * }</pre>
 *
 * @param <T> records
 */
public interface LiveSource<T> extends Source<T> {
    /**
     * Opens the reader of one task. Called on the reader's thread, which then calls all methods of the reader except
     * {@link LiveReader#wakeUp}.
     *
     * @throws ConnectorException ends the job; the user sees only the message
     */
    LiveReader<T> open(SourceContext context) throws Exception;

    /**
     * How often {@link #discover} is called while the job runs, to discover new splits; each task calls it, on its
     * reader's thread, and on Flink the JobManager. With {@link Duration#ZERO}, the default, it is not called. A source that discovers
     * splits never ends by itself.
     */
    default Duration discovery() {
        return Duration.ZERO;
    }

    /**
     * Names the splits that there are while the job runs, as {@link #splits} does, which it calls unless overridden. The reader reads
     * nothing meanwhile: a source whose system may not answer gives up soon. If it throws, the job continues with the splits that it knows,
     * and says so in a line.
     */
    default List<String> discover(int parallelism) throws Exception {
        return splits(parallelism);
    }

    /** True if splits are discovered; a source that ends never without that says so itself. */
    @Override
    default boolean endless() {
        return !discovery().isZero();
    }

    /**
     * Chooses the task that reads a split discovered while the job ran: this number modulo the parallelism, so that no
     * two tasks take the same one. Splits that are discovered together should have consecutive numbers.
     */
    default int spread(String split) {
        return split.hashCode();
    }

    /**
     * How many bytes of fetched batches that are not read a task may hold, over all its splits ({@link
     * RecordBatch#bytes}). Once they are reached, only splits of which nothing is held are fetched, so that none starves;
     * the others continue when half of it is read. So a task holds at most this and a batch of each split.
     */
    default long readAheadBytes() {
        return Long.MAX_VALUE;
    }

    /** A reader of this one split, for callers that read one split at a time. */
    @Override
    default SplitReader<T> open(String split, SourceContext context) {
        return Fetcher.readOne(this, split, context);
    }
}
