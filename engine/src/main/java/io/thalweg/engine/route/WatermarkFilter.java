// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.route;

/** Filters the watermarks of one edge: passes those that matter downstream. */
final class WatermarkFilter {
    private final long stepMs;
    private long sent = Long.MIN_VALUE;

    /** @param stepMs watermarks matter only when they pass a multiple of this; 0 if none matters */
    WatermarkFilter(long stepMs) {
        this.stepMs = stepMs;
    }

    boolean lets(long watermark) {
        if (watermark == sent || stepMs == 0) {
            return false;
        }
        boolean matters =
                sent <= Long.MIN_VALUE + 1 || watermark <= Long.MIN_VALUE + 1 || step(watermark) != step(sent);
        if (matters) {
            sent = watermark;
        }
        return matters;
    }

    /** A window [s, e) is complete at watermark e - 1. */
    private long step(long watermark) {
        return Math.floorDiv(watermark + 1, stepMs);
    }
}
