// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

import io.thalweg.api.stats.SplitTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task over a span.
 *
 * @param task its name, unique in the job: {@code source+map+sink[0]}
 * @param operators names of the operators that it runs, in order
 * @param index among the tasks of these operators, from 0
 * @param process that it runs in
 * @param recordsIn taken from splits or queues
 * @param recordsOut put into queues or written by sinks
 * @param bytesIn as they were sent; null if unknown
 * @param recordsBad bad records
 * @param recordsLate late records
 * @param busyNs in which it processed records (useful time, with calls that block)
 * @param waitingNs in which it had no input
 * @param heldBackNs in which an output had no room (backpressure); if this, {@code busyNs} and {@code waitingNs} are 0, the engine does not
 *     tell where the task's time went
 * @param queueDepth batches in its input queues at the end of the span; null if unknown
 * @param longestCallNs the longest call that ended in the span; null if none in it was longer than all before
 * @param slowCalls calls that held their thread for more than 100 ms
 * @param lag how much of its input is there and unread, in the unit of the source; null if unknown
 * @param stateKeys keys that its operators keep state for; null if unknown
 * @param stateBytes of memory that the state takes; null if unknown
 * @param splitTimes event times of the splits that its watermark waits for, at the end of the span, those that are least far first;
 *     null if the engine does not tell
 * @param batchesIn batches that it took from queues, or reads of a source that brought records; null if unknown
 * @param overdueUs microseconds for which records were due before they were read, of all of them together; 0 for a source that keeps
 *     no rate; null if unknown
 */
public record TaskSpan(
        String task,
        List<String> operators,
        int index,
        String process,
        long recordsIn,
        long recordsOut,
        @Nullable Long bytesIn,
        long recordsBad,
        long recordsLate,
        long busyNs,
        long waitingNs,
        long heldBackNs,
        @Nullable Long queueDepth,
        @Nullable Long longestCallNs,
        long slowCalls,
        @Nullable Long lag,
        @Nullable Long stateKeys,
        @Nullable Long stateBytes,
        @Nullable List<SplitTime> splitTimes,
        @Nullable Long batchesIn,
        @Nullable Long overdueUs) {
    public TaskSpan {
        operators = List.copyOf(operators);
        splitTimes = splitTimes == null ? null : List.copyOf(splitTimes);
    }

    /** The engine tells where its time went. */
    public boolean isTimed() {
        return busyNs + waitingNs + heldBackNs > 0;
    }

    /** This span and the one after it, of the same task, as one. */
    public TaskSpan and(TaskSpan next) {
        return new TaskSpan(
                task,
                operators,
                index,
                next.process,
                recordsIn + next.recordsIn,
                recordsOut + next.recordsOut,
                sum(bytesIn, next.bytesIn),
                recordsBad + next.recordsBad,
                recordsLate + next.recordsLate,
                busyNs + next.busyNs,
                waitingNs + next.waitingNs,
                heldBackNs + next.heldBackNs,
                next.queueDepth,
                next.longestCallNs == null ? longestCallNs : next.longestCallNs,
                slowCalls + next.slowCalls,
                next.lag,
                next.stateKeys,
                next.stateBytes,
                next.splitTimes,
                sum(batchesIn, next.batchesIn),
                sum(overdueUs, next.overdueUs));
    }

    private static @Nullable Long sum(@Nullable Long one, @Nullable Long other) {
        return one == null || other == null ? null : Long.valueOf(one + other);
    }
}
