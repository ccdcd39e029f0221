// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import java.util.List;

/** All outlets of a task, as one. */
final class Outputs {
    private final Outlet[] outlets;

    Outputs(List<Outlet> outlets) {
        this.outlets = outlets.toArray(Outlet[]::new);
    }

    /** Like {@link Outlet#makeRoom}; false if one of them has no room. */
    boolean makeRoom() {
        boolean room = true;
        for (Outlet outlet : outlets) {
            room &= outlet.makeRoom();
        }
        return room;
    }

    void flush(boolean all) {
        for (Outlet outlet : outlets) {
            outlet.flush(all);
        }
    }

    void watermark(long watermark) {
        for (Outlet outlet : outlets) {
            outlet.watermark(watermark);
        }
    }

    void barrier(long checkpoint) {
        for (Outlet outlet : outlets) {
            outlet.barrier(checkpoint);
        }
    }

    void end(boolean cancelled) {
        for (Outlet outlet : outlets) {
            outlet.end(cancelled);
        }
    }

    long takeCount() {
        long out = 0;
        for (Outlet outlet : outlets) {
            out += outlet.takeCount();
        }
        return out;
    }
}
