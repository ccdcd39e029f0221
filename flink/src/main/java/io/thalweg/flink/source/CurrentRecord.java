// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.source;

import io.thalweg.api.connector.SplitAlignment;
import io.thalweg.api.connector.SplitReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The current record of the source at the head of a Flink task. Operators chained to it run on its thread and read here
 * what Flink does not pass along with records. Empty in a task without a source.
 */
public final class CurrentRecord {
    private static final ThreadLocal<CurrentRecord> OF_THREAD = ThreadLocal.withInitial(CurrentRecord::new);

    /** The operator that reads event times; it knows the watermark of each split. */
    public interface Times {
        /** Name of the operator. */
        String name();

        /**
         * Sets the number of splits, which are numbered from 0. Called before the first record.
         *
         * @param moreMayCome {@link #add} may follow
         */
        void splits(int count, boolean moreMayCome);

        /** Adds a split that was discovered; it begins at the watermark of the others. */
        void add();

        /** The watermark of a split, for a checkpoint; if time may have gone on without it, at least that of the task. */
        long watermark(int split);

        /** Restores the watermark of a split from a checkpoint. */
        void restore(int split, long watermark);

        /** A split has ended. */
        void ended(int split);

        /** Which splits wait for slower ones; null if watermarks are not aligned. */
        @Nullable SplitAlignment alignment();

        /** The watermark of the slowest split; {@link SplitAlignment#NOT_AWAITED} if no split must be waited for. */
        long slowest();

        /** Sets the watermark of the slowest split of all tasks. Only if {@link #alignment} is not null. */
        void align(long slowest, long nowNs);
    }

    /** Number of the split that the current record was read from. */
    public int split;

    /** The split is ahead of others (watermark alignment): no more of it is read now. */
    public boolean ahead;

    private String splitName = "";
    private @Nullable SplitReader<?> reader;
    private final List<Times> times = new ArrayList<>();

    private CurrentRecord() {}

    /** The instance of the calling thread; Flink runs each task on one thread. */
    public static CurrentRecord ofThread() {
        return OF_THREAD.get();
    }

    /** Must be called when the operator opens, which is before the source does. */
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
