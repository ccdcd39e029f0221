// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.finding;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What limits a job.
 *
 * @param kind {@code cores}, {@code operator}, {@code calls}, {@code acks}, {@code hand-over}, {@code failure}, {@code source}, or
 *     {@code group} for a consumer group
 * @param operator that takes most of the time; null if the job waits for its input, does
 *     nothing, or nobody sampled within its tasks
 * @param text in one line, for people
 * @param evidence what was measured
 */
public record Bound(String kind, @Nullable String operator, String text, List<Figure> evidence) {
    public Bound {
        evidence = List.copyOf(evidence);
    }
}
