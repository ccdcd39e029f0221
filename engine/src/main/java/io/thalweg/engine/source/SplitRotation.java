// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.api.connector.ConfirmedReader;
import io.thalweg.api.connector.SavedPosition;
import io.thalweg.api.connector.SplitReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The splits of one source task, read side by side, one turn each; and the final positions of those that have ended. */
final class SplitRotation {
    private final List<OpenSplit> open = new ArrayList<>();

    /** By number of the split; some of their records may have to be read again. */
    private final Map<Integer, SavedPosition> ended = new TreeMap<>();

    /** Readers that stay open until all their records are done. */
    private final List<SplitReader<Object>> confirmed = new ArrayList<>();

    private final @Nullable Alignment alignment;
    private int turn;

    /** @param alignment null if watermarks are not aligned */
    SplitRotation(@Nullable Alignment alignment) {
        this.alignment = alignment;
    }

    void add(OpenSplit split) {
        open.add(split);
    }

    /** Adds a split that had ended at the checkpoint. */
    void addEnded(int number, SavedPosition at) {
        ended.put(number, at);
    }

    /** Keeps the reader open until {@link #closeConfirmed}. */
    void keepOpen(ConfirmedReader<Object> reader) {
        confirmed.add(reader);
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    List<OpenSplit> open() {
        return open;
    }

    /** The final positions of splits that have ended, by number. */
    Map<Integer, SavedPosition> ended() {
        return ended;
    }

    /** The next split that may be read; null if all wait for slower ones. */
    @Nullable OpenSplit next() {
        for (int left = open.size(); left > 0; left--) {
            turn = turn + 1 >= open.size() ? 0 : turn + 1;
            if (!waits(open.get(turn))) {
                return open.get(turn);
            }
        }
        return null;
    }

    /** True if the split waits for slower ones. */
    boolean waits(OpenSplit split) {
        return alignment != null && alignment.holds(split.number);
    }

    /** The split that {@link #next} returned has ended. */
    void end(OpenSplit split, SavedPosition at) throws Exception {
        ended.put(split.number, at);
        open.remove(turn);
        close(split);
    }

    /** Closes all readers, even if one fails. */
    void closeAll() throws Exception {
        List<SplitReader<Object>> readers = new ArrayList<>();
        open.forEach(split -> readers.add(split.reader));
        readers.removeAll(confirmed);
        open.clear();
        close(readers);
    }

    private static void close(List<SplitReader<Object>> readers) throws Exception {
        Throwable failure = null;
        for (SplitReader<Object> reader : readers) {
            try {
                reader.close();
            } catch (Exception | Error e) {
                failure = e;
            }
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof Exception exception) {
            throw exception;
        }
    }

    private void close(OpenSplit split) throws Exception {
        if (!confirmed.contains(split.reader)) {
            split.reader.close();
        }
    }

    void closeConfirmed() throws Exception {
        List<SplitReader<Object>> readers = List.copyOf(confirmed);
        confirmed.clear();
        close(readers);
    }
}
