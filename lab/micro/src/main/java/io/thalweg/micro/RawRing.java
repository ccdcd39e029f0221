// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The floor of a hand-over: batches of 512 that one thread fills and one other empties, used again and again. No sleep,
 * no time, no counters, no end of input: nothing but the hand-over.
 */
final class RawRing {
    static final int BATCH = 512;
    private static final int BATCHES = 16;
    private static final int PAD = 16;
    private static final VarHandle POSITION = MethodHandles.arrayElementVarHandle(long[].class);

    private final Object[][] batches = new Object[BATCHES][BATCH];
    private final long[] filled = new long[2 * PAD + 1];
    private final long[] emptied = new long[2 * PAD + 1];

    /** Producer: the batch to fill; null if all are full. */
    Object @Nullable [] claim() {
        long at = filled[PAD];
        return at - (long) POSITION.getAcquire(emptied, PAD) == BATCHES ? null : batches[(int) at & (BATCHES - 1)];
    }

    void publish() {
        POSITION.setRelease(filled, PAD, filled[PAD] + 1);
    }

    /** Consumer: the batch to empty; null if there is none. */
    Object @Nullable [] peek() {
        long at = emptied[PAD];
        return at == (long) POSITION.getAcquire(filled, PAD) ? null : batches[(int) at & (BATCHES - 1)];
    }

    void release() {
        POSITION.setRelease(emptied, PAD, emptied[PAD] + 1);
    }

    /** Waits a moment; now and then lets another thread of a busy machine have the core. */
    static void spin(int waits) {
        if ((waits & 1023) == 1023) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }
}
