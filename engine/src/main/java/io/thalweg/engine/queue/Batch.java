// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.queue;

import org.jspecify.annotations.Nullable;

/**
 * Records in a {@link Ring}, followed by an optional watermark, barrier or end of input. Recycled: owned by the
 * producer from claim to publish, and by the consumer from peek to release.
 */
public final class Batch {
    /** No watermark follows. */
    public static final long NO_WATERMARK = Long.MIN_VALUE;

    /** The input is idle: it is ignored in watermarks until records or a watermark arrive. */
    public static final long IDLE = Long.MIN_VALUE + 1;

    private static final long[] NONE = {};

    /** Of a batch with less than one in so many of the records that it has room for, a fence for each costs less than a new array. */
    private static final int FEW = 16;

    /**
     * The records. A new array where the last one was filled: then all stores go into young memory, and storing a reference needs no
     * fence. G1 has one for each reference to another region that is stored into memory that is not young.
     */
    public @Nullable Object[] values;

    public final long[] times;
    public final long[] stamps;
    public final boolean timed;

    /** For each record its root and its id in the tree of the root; empty if the job is not acked. */
    public final long[] roots;

    public final long[] ids;
    public final boolean acked;
    public int size;

    /** The watermark after the records. */
    public long watermark = NO_WATERMARK;

    /** The barrier after the records and the watermark: number of its checkpoint; 0 for none. */
    public long barrier;

    /** The input ends after this batch. */
    public boolean end;

    /** The input ends after this batch because the job was cancelled. */
    public boolean cancelled;

    /** Split and position of the first record, for messages. */
    public String split = "";

    public long offset;

    /** Due time of the first record, or of the record behind the watermark, on the engine's clock; 0 if unknown. */
    public long dueNs;

    Batch(int capacity, boolean timed, boolean acked) {
        values = new Object[capacity];
        times = timed ? new long[capacity] : NONE;
        stamps = timed ? new long[capacity] : NONE;
        roots = acked ? new long[capacity] : NONE;
        ids = acked ? new long[capacity] : NONE;
        this.timed = timed;
        this.acked = acked;
    }

    void clear() {
        if (size > values.length / FEW) {
            values = new Object[values.length];
        }
        size = 0;
        watermark = NO_WATERMARK;
        barrier = 0;
        end = false;
        cancelled = false;
        dueNs = 0;
    }
}
