// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.work;

import org.jspecify.annotations.Nullable;

/** Where a task sits: run, it wakes the worker there. Any thread may. Stays with the task when it moves. */
public final class Seat implements Runnable {
    private volatile @Nullable Worker worker;

    void moveTo(Worker next) {
        worker = next;
    }

    @Override
    public void run() {
        Worker current = worker;
        if (current != null) {
            current.wake();
        }
    }
}
