// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.connector.SplitReader;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.OperatorException;
import java.util.Arrays;

/**
 * Records of a keyed stage whose keys are looked up together. In a table larger than the processor's caches each look-up
 * waits for memory; looked up one after the other without work in between, they wait for it at the same time. Each record
 * keeps the event time, the stamp and the position that it came with.
 */
final class LookupBatch {
    /** How many are looked up together: more than the processor can have under way. */
    private static final int ENOUGH = 32;

    /** In a table of fewer keys the caches have what a look-up reads. */
    private static final int LARGE_TABLE = 1 << 12;

    /** The same if keys are small numbers, which are not looked at: so many rows are as much memory. */
    private static final int LARGE_TABLE_OF_NUMBERS = 1 << 15;

    /** New arrays are made once so many were held; fewer would not be worth it. */
    private static final int REFILLED = ENOUGH / 8;

    private final int fromKeys;
    private final int fromNumbers;
    private Object[] values = new Object[ENOUGH];
    private Object[] keys = new Object[ENOUGH];
    private int[] hashes = new int[ENOUGH];
    private int[] candidates = new int[ENOUGH];
    private long[] times = new long[ENOUGH];
    private long[] stamps = new long[ENOUGH];
    private long[] lines = new long[ENOUGH];
    private long[] offsets = new long[ENOUGH];

    /** The next to be processed; all from there to {@code end} are held. */
    private int next;

    private int end;

    /** Keeps the reads of {@link #look} from being optimised away. */
    long seen;

    /** @param stepRecords a table of so many keys is large too, if that is less; 0 if that says nothing */
    LookupBatch(int stepRecords) {
        fromKeys = stepRecords == 0 ? LARGE_TABLE : Math.min(stepRecords, LARGE_TABLE);
        fromNumbers = stepRecords == 0 ? LARGE_TABLE_OF_NUMBERS : fromKeys;
    }

    /** True if the next record of a stage with this table is to be held back. */
    boolean holds(KeyTable table) {
        return end > 0 || table.size() >= (table.ofNumbers() ? fromNumbers : fromKeys);
    }

    /** Holds the frame's current record; true if there are enough of them now. */
    boolean add(Frame frame, Object value, Object key, int hash) {
        if (end == values.length) {
            grow();
        }
        int at = end++;
        values[at] = value;
        keys[at] = key;
        hashes[at] = hash;
        times[at] = frame.time;
        stamps[at] = frame.stamp;
        SplitReader<?> reader = frame.reader;
        if (reader != null) {
            lines[at] = reader.line();
            offsets[at] = reader.recordOffset();
        }
        return end - next >= ENOUGH;
    }

    private void grow() {
        int length = 2 * end;
        values = Arrays.copyOf(values, length);
        keys = Arrays.copyOf(keys, length);
        hashes = Arrays.copyOf(hashes, length);
        candidates = Arrays.copyOf(candidates, length);
        times = Arrays.copyOf(times, length);
        stamps = Arrays.copyOf(stamps, length);
        lines = Arrays.copyOf(lines, length);
        offsets = Arrays.copyOf(offsets, length);
    }

    boolean isEmpty() {
        return end == 0;
    }

    /** Looks for the entry that each key may have, and reads what lies there, one read not waiting for the other. */
    void look(KeyTable table) {
        long read = 0;
        for (int at = next; at < end; at++) {
            read += table.slot(hashes[at]);
        }
        for (int at = next; at < end; at++) {
            int candidate = table.candidate(hashes[at]);
            candidates[at] = candidate;
            read += table.row(candidate, keys[at]);
        }
        seen += read;
    }

    /** Makes the next record the frame's current one; -1 if none is left, or an output is full. */
    int next(Frame frame) {
        if (next == end || frame.blocked) {
            return -1;
        }
        int at = next++;
        frame.time = times[at];
        frame.stamp = stamps[at];
        if (frame.reader != null) {
            frame.heldLine = lines[at];
            frame.heldOffset = offsets[at];
        }
        return at;
    }

    Object value(int at) {
        return values[at];
    }

    Object key(int at) {
        return keys[at];
    }

    int hash(int at) {
        return hashes[at];
    }

    /** An entry that may be the key's, or -1. */
    int candidate(int at) {
        return candidates[at];
    }

    /** The frame's current record is again the one that it read last. */
    void leave(Frame frame, long time, long stamp) {
        frame.time = time;
        frame.stamp = stamp;
        frame.heldOffset = Frame.NOT_HELD;
        if (next == end) {
            if (end >= REFILLED) {
                // New, so that records are stored into young memory: into old memory each store costs a fence under G1.
                values = new Object[ENOUGH];
                keys = new Object[ENOUGH];
            }
            next = 0;
            end = 0;
        }
    }

    /** A failure at the record that is the frame's current one. */
    static OperatorException at(Frame frame, OperatorException failure) {
        return frame.reader == null ? failure : failure.at(frame.split, frame.heldOffset);
    }
}
