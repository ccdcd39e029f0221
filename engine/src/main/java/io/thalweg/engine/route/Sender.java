// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.route;

/** What takes records, and all that follows them, to the tasks behind one edge; a {@link Router} chooses among these. */
public abstract class Sender {
    private final Passage passage;

    /** @param watermarkStepMs watermarks matter downstream only when they pass a multiple of this; 0 if none matters */
    Sender(long watermarkStepMs) {
        passage = new Passage(watermarkStepMs);
    }

    /** The tasks behind the edge, in order; of a straight edge the one that belongs to this task. */
    abstract Target[] targets();

    abstract boolean makeRoom();

    abstract void flush(boolean all);

    final void watermark(long watermark) {
        if (passage.lets(watermark)) {
            pass(watermark);
        }
    }

    /** To all tasks. */
    abstract void pass(long watermark);

    abstract void barrier(long checkpoint);

    abstract void end(boolean cancelled);
}
