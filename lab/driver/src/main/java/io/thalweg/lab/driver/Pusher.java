// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.util.concurrent.locks.LockSupport;

/** Says of one record after the other that it is there, each when it is due, on a thread of its own. */
final class Pusher implements AutoCloseable {
    private final long startNs;
    private final double intervalNs;
    private final Runnable wakeUp;
    private final Thread thread;
    private volatile long pushed;
    private volatile boolean closed;

    Pusher(long startNs, double intervalNs, Runnable wakeUp) {
        this.startNs = startNs;
        this.intervalNs = intervalNs;
        this.wakeUp = wakeUp;
        thread = new Thread(this::push, "lab-pusher");
        thread.setDaemon(true);
        thread.start();
    }

    private void push() {
        for (long record = 0; !closed; record++) {
            long dueNs = startNs + (long) (record * intervalNs);
            for (long leftNs = dueNs - System.nanoTime(); leftNs > 0 && !closed; leftNs = dueNs - System.nanoTime()) {
                LockSupport.parkNanos(leftNs);
            }
            pushed = record + 1;
            wakeUp.run();
        }
    }

    /** Any thread: how many records there are so far. */
    long pushed() {
        return pushed;
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
