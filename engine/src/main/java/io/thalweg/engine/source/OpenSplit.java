// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.api.connector.SplitReader;
import org.jspecify.annotations.Nullable;

/** A split that a source task is reading. */
final class OpenSplit {
    /** Records due within this time share one latency measurement. */
    private static final long DUE_TOGETHER_NS = 50_000;

    final int number;
    final String name;
    final SplitReader<Object> reader;

    /** The same reader, which returns nothing once the split is too far ahead of others. */
    final SplitReader<Object> polled;

    /** Records of one turn have one due time, so a source with a fixed rate reads only a few at a time. */
    private int pacedLimit = 1;

    /** @param alignment null if watermarks are not aligned */
    OpenSplit(int number, String name, SplitReader<Object> reader, @Nullable Alignment alignment) {
        this.number = number;
        this.name = name;
        this.reader = reader;
        polled = alignment == null ? reader : alignment.until(reader);
    }

    /** How many records to poll in a turn; the first is due at {@code dueNs}, which is 0 if the source has no fixed rate. */
    int most(int limit, long dueNs) {
        return dueNs == 0 ? limit : Math.min(limit, pacedLimit);
    }

    /** Learns from what was polled how many records are due together. */
    void pace(int polled, long firstDueNs) {
        long nextDueNs = reader.nextDueNs();
        if (firstDueNs != 0 && nextDueNs != 0) {
            long apartNs = Math.max(1, (nextDueNs - firstDueNs) / polled);
            pacedLimit = (int) Math.max(1, Math.min(PollLimit.GREATEST, DUE_TOGETHER_NS / apartNs));
        }
    }
}
