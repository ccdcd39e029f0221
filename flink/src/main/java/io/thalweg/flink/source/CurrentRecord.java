// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.source;

import io.thalweg.api.connector.SplitAlignment;
import io.thalweg.api.connector.SplitReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the source at the head of a Flink task has in hand, for the operators chained to it: they run on its thread, and nothing
 * travels between them but records. Of a task that reads no source nothing is ever in hand.
 */
public final class CurrentRecord {
    private static final ThreadLocal<CurrentRecord> OF_THREAD = ThreadLocal.withInitial(CurrentRecord::new);

    /** Reads event times of what the source reads; knows how far each split has come. */
    public interface Times {
        /** Name of the operator. */
        String name();

        /**
         * So many splits there are, numbered from 0. Called before the first record.
         *
         * @param moreMayCome by {@link #add}
         */
        void splits(int count, boolean moreMayCome);

        /** One more split, which begins at the watermark of those that are there. */
        void add();

        /** The watermark of a split. */
        long watermark(int split);

        /** A split continues from a checkpoint. */
        void restore(int split, long watermark);

        /** Nothing comes any more from a split. */
        void ended(int split);

        /** Which splits wait for slower ones; null if none ever does. */
        @Nullable SplitAlignment alignment();

        /** The watermark of the slowest split; {@link SplitAlignment#NOT_AWAITED} if there is none to wait for. */
        long slowest();

        /** The slowest split of all tasks has come so far. Only if there is {@link #alignment}. */
        void align(long slowest, long nowNs);
    }

    /** Number of the split that the current record was read from. */
    public int split;

    /** The split has run ahead of others: no more of it is read now. */
    public boolean ahead;

    private String splitName = "";
    private @Nullable SplitReader<?> reader;
    private final List<Times> times = new ArrayList<>();

    private CurrentRecord() {}

    /** Of the calling thread; Flink runs each task on one. */
    public static CurrentRecord ofThread() {
        return OF_THREAD.get();
    }

    /** To be called when the operator opens: that is before the source does. */
    public void register(Times reading) {
        times.add(reading);
    }

    List<Times> times() {
        return times;
    }

    void reads(int number, String name, SplitReader<?> with) {
        split = number;
        ahead = false;
        splitName = name;
        reader = with;
    }

    public boolean readsSource() {
        return reader != null;
    }

    public String splitName() {
        return splitName;
    }

    public long line() {
        return reader == null ? 0 : reader.line();
    }

    public long offset() {
        return reader == null ? 0 : reader.recordOffset();
    }
}
