// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A counter on cache lines of its own, written by one thread. Memory order is in the methods' names. */
final class PaddedCounter {
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int MIDDLE = 16;

    private final long[] padded = new long[2 * MIDDLE + 1];

    long plain() {
        return padded[MIDDLE];
    }

    long acquire() {
        return (long) ELEMENT.getAcquire(padded, MIDDLE);
    }

    void release(long value) {
        ELEMENT.setRelease(padded, MIDDLE, value);
    }
}
