// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.finding;

import org.jspecify.annotations.Nullable;

/**
 * A part of the latency of records.
 *
 * @param chain the operators that run in the same tasks, as in the names of these: {@code source+map}
 * @param part {@code source wait}, {@code queue}, {@code service}, {@code batching}, {@code unread} or {@code commit}
 * @param us microseconds for a record, on average; null if it is not known
 * @param from the figures that it follows from, or why it is not known
 */
public record LatencyPart(
        String chain, String part, @Nullable Double us, String from) {}
