// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.engine.work.Pieces;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How one task reads its source.
 *
 * @param apart true to read on threads of their own instead of the task's
 * @param guaranteedElsewhere another engine gives the guarantee, and does not confirm records to readers
 * @param decoding null if readers decode on the task's thread
 * @param wakeUp wakes the thread of the task
 * @param warnings gets warnings for the user, one line each
 */
public record SourceAccess(
        Source<Object> source,
        LiveSplits.Sharing sharing,
        boolean apart,
        boolean guaranteedElsewhere,
        @Nullable Decoding decoding,
        Runnable wakeUp,
        Consumer<String> warnings) {
    /**
     * How readers have pieces decoded on worker threads.
     *
     * @param threads as in {@link SourceContext#decodingThreads}
     */
    public record Decoding(Pieces pieces, int threads) {}
}
