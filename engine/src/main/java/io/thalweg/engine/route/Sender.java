// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.route;

import io.thalweg.run.time.WatermarkFilter;

/**
 * Sends records, watermarks, barriers and the end of input to the downstream tasks of one edge. A {@link Router}
 * chooses among them.
 */
public abstract class Sender {
    private final WatermarkFilter filter;

    /** @param watermarkStepMs watermarks matter downstream only when they pass a multiple of this; 0 if none matters */
    Sender(long watermarkStepMs) {
        filter = new WatermarkFilter(watermarkStepMs);
    }

    /** The downstream tasks, in order; on a straight edge only the one with this task's number. */
    abstract Target[] targets();

    abstract boolean makeRoom();

    abstract void flush(boolean all);

    final void watermark(long watermark) {
        if (filter.lets(watermark)) {
            pass(watermark);
        }
    }

    /** Sends a watermark to all tasks. */
    abstract void pass(long watermark);

    abstract void barrier(long checkpoint);

    abstract void end(boolean cancelled);
}
