// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.queue;

import org.jspecify.annotations.Nullable;

/**
 * Records on their way through a {@link Ring}, and what follows them: a watermark, the end. Recycled: belongs to the
 * producer from claim to publish and to the consumer from peek to release.
 */
public final class Batch {
    /** No watermark follows. */
    public static final long NO_WATERMARK = Long.MIN_VALUE;

    /** The input is idle: its watermark counts for nothing until it speaks again. */
    public static final long IDLE = Long.MIN_VALUE + 1;

    private static final long[] NONE = {};

    public final @Nullable Object[] values;
    public final long[] times;
    public final long[] stamps;
    public final boolean timed;

    /** Of each record the source record that it comes from, and its own id in that one's tree; none if not acked. */
    public final long[] roots;

    public final long[] ids;
    public final boolean acked;
    public int size;

    /** What all sources of this path have reached, after the records. */
    public long watermark = NO_WATERMARK;

    /** What came before this, the records and the watermark of this batch included, belongs to a checkpoint; 0 for none. */
    public long barrier;

    /** Nothing comes after this batch. */
    public boolean end;

    /** Nothing comes after this batch because the run was cancelled. */
    public boolean cancelled;

    /** The split that the first record came from, and where it stood: for messages. */
    public String split = "";

    public long offset;

    /** When the first record, or what brought the watermark, was due by the engine's clock; 0 if nobody knows. */
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
        size = 0;
        watermark = NO_WATERMARK;
        barrier = 0;
        end = false;
        cancelled = false;
        dueNs = 0;
    }
}
