// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import org.jspecify.annotations.Nullable;

/**
 * The thread that calls the spouts or bolts of one executor. It is the same for the executor's life, unless executors share threads
 * ({@link StormDoor#SHARED_THREADS}): then the executor may go on with another one between two calls.
 */
final class ExecutorThread {
    private final Host host;

    /** Before the first call, the one that opens the executor. */
    private volatile @Nullable Thread current;

    ExecutorThread(Host host) {
        this.host = host;
    }

    /**
     * Called by the thread before it calls the executor.
     *
     * @return whether another one, or none, called it before
     */
    boolean enter() {
        Thread now = Thread.currentThread();
        Thread before = current;
        if (before == now) {
            return false;
        }
        if (before != null) {
            host.leave(before);
        }
        host.enter();
        now.setContextClassLoader(host.loader);
        current = now;
        return true;
    }

    /** Whether the executor is called by this very thread. Any thread may ask. */
    boolean isCurrent() {
        return current == Thread.currentThread();
    }

    /** Null before the first call. Any thread may ask. */
    @Nullable Thread current() {
        return current;
    }

    /** The executor is closed next, on the current thread, and not interrupted in that. */
    void leave() {
        Thread last = current;
        if (last != null) {
            host.leave(last);
        }
    }
}
