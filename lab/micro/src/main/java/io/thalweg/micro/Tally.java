// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import java.util.concurrent.atomic.AtomicLong;

/** What the sinks of a run have seen: how many records, and a sum over them. A result is checked before its speed counts. */
final class Tally {
    private static final AtomicLong COUNT = new AtomicLong();
    private static final AtomicLong SUM = new AtomicLong();

    private Tally() {}

    /** Called by each sink's task when it has seen all. */
    static void add(long count, long sum) {
        COUNT.addAndGet(count);
        SUM.addAndGet(sum);
    }

    /** Sets back to zero, and throws where something else was seen than there should be. */
    static long check(long count, long sum) {
        long seen = COUNT.getAndSet(0);
        long summed = SUM.getAndSet(0);
        if (seen != count || summed != sum) {
            throw new IllegalStateException(
                    "wrong result: " + seen + " records of sum " + summed + " instead of " + count + " of sum " + sum);
        }
        return summed;
    }
}
