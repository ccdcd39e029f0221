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
 * @param apart true to read on threads beside the task's
 * @param guaranteedElsewhere another engine runs a job with a guarantee, and tells no reader that a record is done
 * @param decoding null if readers decode by themselves
 * @param wakeUp runs the thread that the task is on, if it sleeps
 * @param warnings hears what is told in one line
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
     * How readers have pieces decoded.
     *
     * @param threads as {@link SourceContext#decodingThreads} has it
     */
    public record Decoding(Pieces pieces, int threads) {}
}
