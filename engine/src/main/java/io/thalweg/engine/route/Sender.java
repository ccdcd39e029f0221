// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.route;

import io.thalweg.engine.queue.Batch;
import io.thalweg.run.time.WatermarkFilter;

/**
 * Sends records, watermarks, barriers and the end of input to the downstream tasks of one edge. A {@link Router}
 * chooses among them.
 */
public abstract class Sender {
    private final WatermarkFilter filter;

    /** Records sent before the last {@link #takeCount}. */
    private long counted;

    /** Records sent before the last {@link Batch#IDLE}. */
    private long sentBeforeIdle;

    /** @param watermarkStepMs watermarks matter downstream only when they pass a multiple of this; 0 if none matters */
    Sender(long watermarkStepMs) {
        filter = new WatermarkFilter(watermarkStepMs);
    }

    /** The downstream tasks, in order; on a straight edge only the one with this task's number. */
    abstract Target[] targets();

    abstract boolean makeRoom();

    abstract void flush(boolean all);

    final void watermark(long watermark) {
        if (watermark == Batch.IDLE) {
            long sent = counted + count();
            if (sent != sentBeforeIdle) {
                filter.recordsSent();
            }
            sentBeforeIdle = sent;
        }
        if (filter.lets(watermark)) {
            pass(watermark);
        }
    }

    /** The number of records sent since the last call. */
    final long takeCount() {
        long count = count();
        for (Target target : targets()) {
            target.count = 0;
        }
        counted += count;
        return count;
    }

    private long count() {
        long count = 0;
        for (Target target : targets()) {
            count += target.count;
        }
        return count;
    }

    /** Sends a watermark to all tasks. */
    abstract void pass(long watermark);

    abstract void barrier(long checkpoint);

    abstract void end(boolean cancelled);
}
