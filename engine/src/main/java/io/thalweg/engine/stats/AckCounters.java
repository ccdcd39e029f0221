// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.stats;

import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.SingleWriterRecorder;

/** Counts acked, failed and pending records of one source task. Written by the thread that runs the task; read by any. */
public final class AckCounters {
    private static final long LONGEST_US = 3_600_000_000L;
    private static final int DIGITS = 3;

    public final AtomicLong pending = new AtomicLong();
    public final AtomicLong acked = new AtomicLong();
    public final AtomicLong failed = new AtomicLong();
    public final AtomicLong timedOut = new AtomicLong();
    public final AtomicLong givenUp = new AtomicLong();
    public final SingleWriterRecorder completeUs = new SingleWriterRecorder(LONGEST_US, DIGITS);

    /** Records are acked, {@code tookNs} after they were due. */
    public void onDone(long tookNs, long records) {
        TaskCounters.add(acked, records);
        if (TaskCounters.ON) {
            completeUs.recordValueWithCount(Math.min(LONGEST_US, Math.max(0, tookNs / 1_000)), records);
        }
    }
}
