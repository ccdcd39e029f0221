// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import org.jspecify.annotations.Nullable;

/**
 * A queue of messages for one thread. Its arrays are made anew and not used again, so that they are young, where storing a reference
 * needs no fence of G1's.
 */
final class TupleQueue {
    private static final int LEAST = 256;

    private @Nullable DoorTuple[] messages = new DoorTuple[LEAST];
    private int added;
    private int taken;

    void add(DoorTuple message) {
        if (added == messages.length) {
            int left = added - taken;
            DoorTuple[] larger = new DoorTuple[Math.max(LEAST, 2 * left)];
            System.arraycopy(messages, taken, larger, 0, left);
            messages = larger;
            taken = 0;
            added = left;
        }
        messages[added++] = message;
    }

    @Nullable DoorTuple poll() {
        if (taken == added) {
            return null;
        }
        DoorTuple first = messages[taken];
        messages[taken++] = null;
        return first;
    }

    boolean isEmpty() {
        return taken == added;
    }
}
