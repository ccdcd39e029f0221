// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

import org.jspecify.annotations.Nullable;

/**
 * What a bolt did with its tuples, over all spans together.
 *
 * @param bolt its name
 * @param executed tuples that it was given by spouts and bolts
 * @param acked tuples that it acked
 * @param failed tuples that it failed
 * @param processMs from when it was given a tuple until it acked it, on average; null if unknown
 * @param shell each of its tasks runs a program in another language
 */
public record StormBolt(
        String bolt,
        long executed,
        long acked,
        long failed,
        @Nullable Double processMs,
        boolean shell) {}
