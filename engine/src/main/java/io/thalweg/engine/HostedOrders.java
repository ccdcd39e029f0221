// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * What {@link HostedJob} tells the tasks of a job. Later orders include all earlier ones.
 *
 * @param version greater in later orders
 * @param asked the last checkpoint that was requested
 * @param completed the last checkpoint that was completed
 * @param stopAt sources stop behind the barrier of this one
 * @param opened all tasks are open: those of a restored job restore their outputs
 * @param started the outputs of all tasks are restored, too, or need not be: tasks run
 * @param cancelled sources are to stop
 * @param mayCommit all tasks have drained, and nothing more is saved
 * @param committed writers that have committed, in the order of the plan
 * @param reached limits that are reached, by their number in the graph, ascending
 */
public record HostedOrders(
        long version,
        long asked,
        long completed,
        long stopAt,
        boolean opened,
        boolean started,
        boolean cancelled,
        boolean mayCommit,
        long committed,
        List<Integer> reached) {
    private static final int STARTED = 1;
    private static final int CANCELLED = 2;
    private static final int MAY_COMMIT = 4;
    private static final int OPENED = 8;

    /** How many numbers come before those of the limits. */
    private static final int FIXED = 6;

    /** @param checkpoint that the job continues from, or the newest that is there; 0 for none */
    public static HostedOrders first(long checkpoint) {
        return new HostedOrders(0, checkpoint, checkpoint, Long.MAX_VALUE, false, false, false, false, 0, List.of());
    }

    /** For a job that has failed: its sources stop where they are, and nothing more is committed. */
    public HostedOrders givenUp() {
        return new HostedOrders(version + 1, asked, completed, 0, opened, started, true, false, committed, reached);
    }

    /** True if nothing has changed since but the number of writers that have committed. */
    public boolean nextWriterOnly(HostedOrders before) {
        return new HostedOrders(
                        before.version,
                        asked,
                        completed,
                        stopAt,
                        opened,
                        started,
                        cancelled,
                        mayCommit,
                        before.committed,
                        reached)
                .equals(before);
    }

    /** As numbers, as {@link #of} reads them. */
    public List<Long> numbers() {
        long flags = (started ? STARTED : 0)
                | (cancelled ? CANCELLED : 0)
                | (mayCommit ? MAY_COMMIT : 0)
                | (opened ? OPENED : 0);
        List<Long> numbers = new ArrayList<>(List.of(version, asked, completed, stopAt, flags, committed));
        reached.forEach(limit -> numbers.add(limit.longValue()));
        return numbers;
    }

    public static HostedOrders of(List<Long> numbers) {
        long flags = numbers.get(4);
        return new HostedOrders(
                numbers.get(0),
                numbers.get(1),
                numbers.get(2),
                numbers.get(3),
                (flags & OPENED) != 0,
                (flags & STARTED) != 0,
                (flags & CANCELLED) != 0,
                (flags & MAY_COMMIT) != 0,
                numbers.get(5),
                numbers.stream().skip(FIXED).map(Long::intValue).toList());
    }
}
