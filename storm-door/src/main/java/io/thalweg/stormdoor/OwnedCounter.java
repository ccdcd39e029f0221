// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A count that one thread adds to nearly always. Any thread may add and read; to the one that owns it, adding is no atomic operation,
 * which would wait until all that this thread has written is in its cache.
 */
final class OwnedCounter {
    private final AtomicLong own = new AtomicLong();
    private final LongAdder others = new LongAdder();
    private @Nullable Thread owner;

    /** Called by the thread that will own it, before it adds anything. */
    void begin() {
        owner = Thread.currentThread();
    }

    void add(long more) {
        if (Thread.currentThread() == owner) {
            own.setOpaque(own.getPlain() + more);
        } else {
            others.add(more);
        }
    }

    void increment() {
        add(1);
    }

    long sum() {
        return own.getOpaque() + others.sum();
    }
}
