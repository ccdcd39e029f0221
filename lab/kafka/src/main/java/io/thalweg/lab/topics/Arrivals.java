// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.topics;

import java.util.BitSet;

/** Which of the messages, numbered from 0 on, have come: each must, and none twice. One thread uses it. */
final class Arrivals {
    private final int count;
    private final BitSet arrived;
    private int left;

    Arrivals(int count) {
        this.count = count;
        arrived = new BitSet(count);
        left = count;
    }

    /** @throws IllegalStateException if it has come before, or was never sent */
    void add(long number) {
        if (number < 0 || number >= count) {
            throw new IllegalStateException("a message with the number " + number + " came, of " + count);
        }
        if (arrived.get((int) number)) {
            throw new IllegalStateException("message " + number + " came twice");
        }
        arrived.set((int) number);
        left--;
    }

    /** How many have not come. */
    int left() {
        return left;
    }
}
