// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.engine.queue.Batch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All operators of a source task that read event times, as one: they hear the same of the splits. */
public final class EventTimes {
    private static final long[] NONE = {};

    private final TimeReader[] readers;

    public EventTimes(List<TimeReader> readers) {
        this.readers = readers.toArray(TimeReader[]::new);
    }

    List<TimeReader> readers() {
        return List.of(readers);
    }

    /** Nobody reads event times. */
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

    /** Before the first record: how far a split had come at the checkpoint that the job goes on from. */
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

    /** The turn with the split in hand is over. */
    void end(boolean splitEnded, long nowNs) {
        for (TimeReader reader : readers) {
            reader.end(splitEnded, nowNs);
        }
    }

    /** The record that follows had these watermarks before it when it was read; {@link #endAgain} is called next. */
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

    /** How far a split has come, by operator. */
    long[] watermarksOf(int split) {
        if (readers.length == 0) {
            return NONE;
        }
        long[] watermarks = new long[readers.length];
        for (int i = 0; i < watermarks.length; i++) {
            watermarks[i] = readers[i].watermarkOf(split);
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

    /** The least watermark of all splits; {@link Batch#IDLE} if they count for nothing, Long.MAX_VALUE if all have ended. */
    long watermark(long nowNs) {
        long least = Long.MAX_VALUE;
        for (TimeReader reader : readers) {
            least = Math.min(least, reader.watermark(nowNs));
        }
        return least;
    }

    /** What this task has reached, before records of a split that it reads now: idle ones count as far as they have come. */
    long reached(int split, long nowNs) {
        long least = Long.MAX_VALUE;
        for (TimeReader reader : readers) {
            long all = reader.watermark(nowNs);
            least = Math.min(least, all == TimeReader.IDLE ? reader.watermarkOf(split) : all);
        }
        return least;
    }
}
