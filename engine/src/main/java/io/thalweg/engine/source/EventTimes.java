// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.api.stats.SplitTime;
import io.thalweg.engine.queue.Batch;
import io.thalweg.run.time.SplitWatermarks;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All operators of a source task that read event times, as one: each gets the same calls. */
public final class EventTimes {
    private static final long[] NONE = {};

    /** A topic may have thousands of partitions, and statistics are sent around. */
    private static final int MOST_TOLD = 16;

    private final TimeReader[] readers;

    public EventTimes(List<TimeReader> readers) {
        this.readers = readers.toArray(TimeReader[]::new);
    }

    List<TimeReader> readers() {
        return List.of(readers);
    }

    /** True if no operator reads event times. */
    boolean none() {
        return readers.length == 0;
    }

    /** As {@link TimeReader#splits} has it. */
    void splits(int count) {
        for (TimeReader reader : readers) {
            reader.splits(count);
        }
    }

    /** As {@link TimeReader#add} has it. */
    void add(long nowNs) {
        for (TimeReader reader : readers) {
            reader.add(nowNs);
        }
    }

    /** As {@link TimeReader#notRead} has it. */
    void notRead(long forNs) {
        for (TimeReader reader : readers) {
            reader.notRead(forNs);
        }
    }

    /** Restores the watermarks of a split from a checkpoint. Called before the first record. */
    void restore(int split, SplitProgress progress) {
        for (TimeReader reader : readers) {
            Long watermark = progress.watermarks().get(reader.operator());
            if (watermark != null) {
                reader.restore(split, watermark, progress.ended());
            }
        }
    }

    /** The records that follow are of this split. */
    void begin(int split) {
        for (TimeReader reader : readers) {
            reader.begin(split);
        }
    }

    /** The turn with the current split is over. */
    void end(boolean splitEnded, long nowNs) {
        for (TimeReader reader : readers) {
            reader.end(splitEnded, nowNs);
        }
    }

    /** The next record is a retry; its split had these watermarks when it was read. {@link #endAgain} must follow. */
    void beginAgain(int split, long[] watermarks) {
        for (int i = 0; i < readers.length; i++) {
            readers[i].beginAgain(split, watermarks[i]);
        }
    }

    void endAgain() {
        for (TimeReader reader : readers) {
            reader.endAgain();
        }
    }

    /** The stamps that the next record of a split gets, by operator: where its watermarks are after a restore, or for a retry. */
    long[] stampsOf(int split) {
        if (readers.length == 0) {
            return NONE;
        }
        long[] watermarks = new long[readers.length];
        for (int i = 0; i < watermarks.length; i++) {
            watermarks[i] = readers[i].stampOf(split);
        }
        return watermarks;
    }

    /** The same by name of the operator. */
    Map<String, Long> named(long[] watermarks) {
        Map<String, Long> named = new HashMap<>();
        for (int i = 0; i < watermarks.length; i++) {
            named.put(readers[i].operator(), watermarks[i]);
        }
        return named;
    }

    /** The splits that the watermark waits for, those that are least far first; of many the first ones and the last one. */
    List<SplitTime> ofSplits(TaskSplits splits, long nowNs) {
        List<SplitTime> all = new ArrayList<>();
        for (TimeReader reader : readers) {
            for (int split = 0; split < splits.count(); split++) {
                if (reader.counts(split, nowNs)) {
                    long watermark = reader.watermarkOf(split);
                    all.add(new SplitTime(
                            reader.operator(),
                            splits.name(split),
                            watermark == SplitWatermarks.NOT_SEEN ? null : Long.valueOf(watermark)));
                }
            }
        }
        all.sort(Comparator.comparing(SplitTime::watermarkMs, Comparator.nullsFirst(Comparator.naturalOrder())));
        if (all.size() > MOST_TOLD) {
            all.subList(MOST_TOLD - 1, all.size() - 1).clear();
        }
        return all;
    }

    /**
     * The least watermark of all splits, without those of operators for which all are idle; {@link Batch#IDLE} if they are
     * for all operators, Long.MAX_VALUE if all have ended.
     */
    long watermark(long nowNs) {
        long least = Long.MAX_VALUE;
        boolean idle = false;
        for (TimeReader reader : readers) {
            long all = reader.watermark(nowNs);
            idle |= all == Batch.IDLE;
            least = all == Batch.IDLE ? least : Math.min(least, all);
        }
        return least == Long.MAX_VALUE && idle ? Batch.IDLE : least;
    }

    /** The watermark of this task before it reads from a split; if all are idle, that of the split. */
    long reached(int split, long nowNs) {
        long all = watermark(nowNs);
        if (all != Batch.IDLE) {
            return all;
        }
        long least = Long.MAX_VALUE;
        for (TimeReader reader : readers) {
            least = Math.min(least, reader.watermarkOf(split));
        }
        return least;
    }
}
