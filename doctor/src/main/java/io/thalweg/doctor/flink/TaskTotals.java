// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.flink;

import io.thalweg.doctor.observation.TaskSpan;
import java.util.List;

/**
 * What Flink has counted of a task since it was deployed. It refreshes these figures every few seconds, so they may be
 * older than the answer that they are in, but fit together.
 *
 * @param operator the vertex
 * @param index of the subtask
 * @param attempt increases with each restart
 * @param running it is deployed, and counts
 * @param waiting it has no slot
 * @param process its TaskManager
 * @param recordsIn records that it read, or that its source made
 * @param recordsOut records that it sent
 * @param bytesIn that it read
 * @param busyMs useful time
 * @param idleMs without input
 * @param heldBackMs without room for its output
 */
record TaskTotals(
        String operator,
        int index,
        int attempt,
        boolean running,
        boolean waiting,
        String process,
        long recordsIn,
        long recordsOut,
        long bytesIn,
        long busyMs,
        long idleMs,
        long heldBackMs) {
    private static final double NS_PER_MS = 1e6;

    String name() {
        return operator + "[" + index + "]";
    }

    long countedMs() {
        return busyMs + idleMs + heldBackMs;
    }

    /** Since an earlier look, or since it was deployed again after that. */
    TaskTotals since(TaskTotals before) {
        if (before.attempt != attempt || before.countedMs() > countedMs()) {
            return this;
        }
        return new TaskTotals(
                operator,
                index,
                attempt,
                running,
                waiting,
                process,
                Math.max(0, recordsIn - before.recordsIn),
                Math.max(0, recordsOut - before.recordsOut),
                Math.max(0, bytesIn - before.bytesIn),
                Math.max(0, busyMs - before.busyMs),
                Math.max(0, idleMs - before.idleMs),
                Math.max(0, heldBackMs - before.heldBackMs));
    }

    /** As much of a span as was counted, as if it had been counted over all of it. */
    TaskSpan over(double factor, boolean source) {
        return new TaskSpan(
                name(),
                List.of(operator),
                index,
                process,
                Math.round(recordsIn * factor),
                Math.round(recordsOut * factor),
                source ? null : Long.valueOf(Math.round(bytesIn * factor)),
                0,
                0,
                Math.round(busyMs * factor * NS_PER_MS),
                Math.round(idleMs * factor * NS_PER_MS),
                Math.round(heldBackMs * factor * NS_PER_MS),
                null,
                null,
                0,
                null,
                null,
                null,
                null,
                null,
                null);
    }
}
