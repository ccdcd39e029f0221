// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.finding;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What other settings would bring.
 *
 * @param changes in the order in which they were given
 * @param throughput records of sources per second, as observed
 * @param predictedThroughput the same with the changes
 * @param latencyUs of half of the records, in microseconds, as observed; null if it was not
 * @param predictedLatencyUs the same with the changes; null if it was not observed
 * @param limitedBy what limits the job then, in one line
 * @param notes what the prediction takes for granted
 */
public record WhatIf(
        List<Change> changes,
        double throughput,
        Range predictedThroughput,
        @Nullable Double latencyUs,
        @Nullable Range predictedLatencyUs,
        String limitedBy,
        List<String> notes) {
    public WhatIf {
        changes = List.copyOf(changes);
        notes = List.copyOf(notes);
    }
}
