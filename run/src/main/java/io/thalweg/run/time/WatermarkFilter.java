// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run.time;

/** Filters watermarks: passes those that matter downstream. */
public final class WatermarkFilter {
    private final long stepMs;
    private long sent = SplitWatermarks.NOT_SEEN;

    /** @param stepMs see {@link io.thalweg.api.graph.WatermarkSteps}; 0 if no watermark matters */
    public WatermarkFilter(long stepMs) {
        this.stepMs = stepMs;
    }

    /** Whether to send a watermark, or {@link SplitWatermarks#IDLE}; if so, it counts as sent. */
    public boolean lets(long watermark) {
        if (watermark == sent || stepMs == 0) {
            return false;
        }
        boolean matters =
                sent <= SplitWatermarks.IDLE || watermark <= SplitWatermarks.IDLE || step(watermark) != step(sent);
        if (matters) {
            sent = watermark;
        }
        return matters;
    }

    /** Records were sent since, so downstream no longer knows what was sent last: {@link SplitWatermarks#IDLE} matters again. */
    public void recordsSent() {
        sent = sent == SplitWatermarks.IDLE ? SplitWatermarks.NOT_SEEN : sent;
    }

    /** What was sent last. */
    public long sent() {
        return sent;
    }

    /** A window [s, e) is complete at watermark e - 1. */
    private long step(long watermark) {
        return Math.floorDiv(watermark + 1, stepMs);
    }
}
