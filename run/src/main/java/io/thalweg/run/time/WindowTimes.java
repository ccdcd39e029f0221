// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run.time;

/** When a window fires, and until when it takes records. Its end is exclusive. */
public final class WindowTimes {
    /** The longest duration that can be added to any event time without overflow. */
    private static final long LONGEST_MS = Long.MAX_VALUE / 4;

    private WindowTimes() {}

    /** The allowed lateness, as short as the other methods need it. */
    public static long lateness(long allowedMs) {
        return Math.min(allowedMs, LONGEST_MS);
    }

    /** The watermark at which a window is complete and fires. It is also the event time of the result. */
    public static long complete(long end) {
        return end - 1;
    }

    /** The watermark at which a window takes no more records: a record with this stamp, or a later one, is late for it. */
    public static long closed(long end, long latenessMs) {
        return complete(end) + latenessMs;
    }

    /** The watermark at which something is due of a window: it is complete, or, after it has fired, closed. */
    public static long due(long end, boolean fired, long latenessMs) {
        return fired ? closed(end, latenessMs) : complete(end);
    }

    /**
     * The stamp of the result of a window that fires: the greatest that does not make it late. A result that is emitted once
     * more because of a record within the allowed lateness has the stamp of that record.
     *
     * @param watermark that the operator has sent on
     */
    public static long stamp(long end, long watermark) {
        return Math.max(end - 2, watermark);
    }
}
